import { join, posix } from 'node:path'
import { decodeCassette } from '../../cassette/decode.ts'
import { isEdited } from '../../cassette/format.ts'
import { parseStored, withoutName } from '../../cassette/reader.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { CassetteError } from '../../errors.ts'
import type { CassetteState } from '../compare/compare-cassettes.ts'
import { fetchCommand, type Git } from '../programs/git.ts'
import type { CassetteFolder } from '../sources/cassette-folders.ts'
import { invalidCommand } from '../terminal/options.ts'
import type { Folder } from './recordings.ts'

/** The commit that the working tree is compared with. */
export interface Base {
  /** The ref as git accepts it. */
  ref: string
  /** For people: `HEAD`, `the merge base of HEAD and origin/main (3f2a1b0)`. */
  shown: string
}

/** Variables in which CI services name the target branch of a pull request. */
const TARGETS = [
  'GITHUB_BASE_REF',
  'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  'BITBUCKET_PR_DESTINATION_BRANCH',
  'BUILDKITE_PULL_REQUEST_BASE_BRANCH',
  'SYSTEM_PULLREQUEST_TARGETBRANCH',
  'CHANGE_TARGET',
]

/** The commit that a word names; `undefined` where it names none. */
export function commitOf(git: Git, name: string): string | undefined {
  // Git may take a word that begins like an option for one.
  if (name.startsWith('-')) return undefined
  return git.try(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])?.trim()
}

/** A ref that the user named. */
export function namedBase(name: string, commit: string): Base {
  return { ref: commit, shown: commit.startsWith(name) ? name : `${name} (${short(commit)})` }
}

/** The last commit; the empty tree if there is none yet. */
export function headBase(git: Git): Base {
  const head = commitOf(git, 'HEAD')
  if (head === undefined)
    return {
      ref: git.run(['hash-object', '-t', 'tree', '--stdin'], '').toString('utf8').trim(),
      shown: 'nothing, as there is no commit yet',
    }
  const isDetached = git.try(['symbolic-ref', '--quiet', 'HEAD']) === undefined
  return { ref: head, shown: isDetached ? `HEAD (detached at ${short(head)})` : 'HEAD' }
}

/**
 * The merge base of the branch and its target.
 *
 * @throws CassetteError `invalid-command` if it is not in the clone.
 */
export function mergeBase(git: Git, env: Readonly<Record<string, string | undefined>>): Base {
  const named = TARGETS.map((name) => env[name]).find(Boolean)
  const target = named === undefined ? 'origin/HEAD' : `origin/${named.replace('refs/heads/', '')}`
  const isShallow = git.try(['rev-parse', '--is-shallow-repository'])?.trim() === 'true'
  if (commitOf(git, target) === undefined)
    throw noBase(`${target} is not in this clone`, isShallow, named)
  const found = git.try(['merge-base', 'HEAD', target])?.trim()
  if (!found) throw noBase(`HEAD and ${target} have no common ancestor here`, isShallow, named)
  return { ref: found, shown: `the merge base of HEAD and ${target} (${short(found)})` }
}

function noBase(problem: string, isShallow: boolean, target: string | undefined): CassetteError {
  const why = isShallow ? ': it is a shallow clone, which has only the last commits' : ''
  const fetch = isShallow
    ? 'Fetch the history: fetch-depth: 0 in actions/checkout, GIT_DEPTH: 0 in GitLab, or git fetch --unshallow'
    : target === undefined
      ? 'Name the branch: git remote set-head origin --auto'
      : `Fetch it: ${fetchCommand(target)}`
  return invalidCommand(
    `On CI, cassettes are compared with where the branch began, and ${problem}${why}.\n${fetch}\n` +
      'Or name a commit: npx vitest-cassette diff HEAD',
  )
}

function short(commit: string): string {
  return commit.slice(0, 7)
}

/** Cassettes that differ from a commit, by their paths relative to the working directory of the user. */
export interface States {
  before: Map<string, CassetteState>
  after: Map<string, CassetteState>
  folders: Map<string, Folder>
}

interface ChangedFile {
  name: string
  /** The git object of its content before; absent if there was none. */
  object?: string
  isThere: boolean
}

const ABSENT = /^0+$/

/** Options that list the changed files, whatever the git settings of the user. */
const RAW = '--raw -z --no-abbrev --no-renames --no-ext-diff --no-textconv --no-relative'.split(' ')

/** Options that list the files that git neither tracks nor ignores. */
const OTHERS = '--others --exclude-standard --full-name -z'.split(' ')

/** The mode of a symbolic link, which may lead anywhere. */
const LINK = '120000'

/**
 * Reads the cassettes that differ between a commit and the working tree, or that only one of them has.
 *
 * @param open the cassette folders of the working tree
 * @param dir the name of cassette folders, to find deleted ones; or the folders that the user names
 */
export function readStates(
  git: Git,
  ref: string,
  open: readonly CassetteFolder[],
  dir: string | readonly string[],
  each: <Item>(items: readonly Item[]) => Iterable<Item>,
): States {
  const prefix = git.prefix()
  const files = changedFiles(git, ref, prefix, dir).flatMap((file) => {
    const found = folderOf(file.name, open, dir, git.cwd)
    return found && isCassetteFile(file.name.slice(found.folder.way.length))
      ? [{ ...file, ...found }]
      : []
  })
  const texts = readObjects(git, [...new Set(files.flatMap(({ object }) => object ?? []))])
  const states: States = { before: new Map(), after: new Map(), folders: new Map() }
  for (const { name, object, isThere, folder, store } of each(files)) {
    states.folders.set(name, folder)
    if (object !== undefined) {
      const load = blobLoader(git, ref, prefix, folder.way, store)
      states.before.set(name, stateOf(texts.get(object)!, load))
    }
    if (isThere && store) states.after.set(name, stateIn(store, store.pathTo(join(git.cwd, name))))
  }
  return states
}

function changedFiles(
  git: Git,
  ref: string,
  prefix: string,
  dir: string | readonly string[],
): ChangedFile[] {
  const paths =
    typeof dir === 'string' ? [`:(glob)**/${dir}/**/*.json`] : dir.map((one) => `:(literal)${one}`)
  const raw = git.run(['diff', ...RAW, ref, '--', ...paths])
  const words = raw.toString('utf8').split('\0')
  const files: ChangedFile[] = []
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [oldMode, newMode, object, , status] = words[at]!.slice(1).split(' ') as string[]
    // Git gives no mode for a file in conflict.
    const isThere = status === 'U' || !ABSENT.test(newMode!)
    const name = posix.relative(prefix, words[at + 1]!)
    const isRead = !ABSENT.test(object!) && oldMode !== LINK
    files.push({ name, isThere, object: isRead ? object : undefined })
  }
  const others = git.run(['ls-files', ...OTHERS, '--', ...paths])
  for (const path of others.toString('utf8').split('\0').filter(Boolean))
    files.push({ name: posix.relative(prefix, path), isThere: true })
  return files
}

/** The cassette folder of a file, and its store if the folder exists. */
function folderOf(
  name: string,
  open: readonly CassetteFolder[],
  dir: string | readonly string[],
  cwd: string,
): { folder: Folder; store?: CassetteStore } | undefined {
  const known = open.find(({ store }) => name.startsWith(wayTo(store.display(''))))
  if (known) return { folder: folderWithWay(known), store: known.store }
  const segments = name.split('/')
  const named =
    typeof dir === 'string' ? [segments.slice(0, segments.indexOf(dir) + 1).join('/')] : dir
  const way = named
    .filter(Boolean)
    .map(wayTo)
    .find((one) => name.startsWith(one))
  return way === undefined ? undefined : { folder: { root: cwd, dir: way, way } }
}

/** A cassette folder of the working tree, as a review names it. */
export function folderWithWay({ root, store }: CassetteFolder): Folder {
  return { root, dir: store.pathFrom(root, ''), way: wayTo(store.display('')) }
}

/** The prefix of all paths below a folder: `packages/a/`; empty for the working directory. */
function wayTo(folder: string): string {
  const normal = posix.normalize(`${folder}/`)
  return normal === './' ? '' : normal
}

/** Whether a path in a cassette folder is a cassette, by the rule of `CassetteReader.list`. */
function isCassetteFile(path: string): boolean {
  const isHidden = posix.basename(path).startsWith('.')
  return path.endsWith('.json') && !path.startsWith('blobs/') && !isHidden
}

/** Reads objects of git in one call. */
function readObjects(git: Git, objects: readonly string[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  if (objects.length === 0) return found
  const all = git.run(['cat-file', '--batch'], `${objects.join('\n')}\n`)
  let at = 0
  for (const object of objects) {
    const end = all.indexOf('\n', at)
    const size = Number(all.toString('utf8', at, end).split(' ')[2])
    const from = end + 1
    found.set(object, all.subarray(from, from + size))
    at = from + size + 1
  }
  return found
}

/** Loads files of the `blobs` folder. A name is a hash, so a file in the working tree has the same content. */
function blobLoader(
  git: Git,
  ref: string,
  prefix: string,
  dir: string,
  store: CassetteStore | undefined,
): (name: string) => Buffer {
  return (name) => {
    const own = store?.findBlob(name)
    if (own) return own
    try {
      return git.run(['cat-file', 'blob', `${ref}:${posix.join(prefix, dir, 'blobs', name)}`])
    } catch {
      throw new CassetteError('invalid-cassette', `its file blobs/${name} is missing`)
    }
  }
}

export function stateOf(bytes: Buffer, load: (name: string) => Buffer): CassetteState {
  const text = bytes.toString('utf8')
  try {
    const stored = parseStored(text)
    return { text, cassette: decodeCassette(stored, load), isEdited: isEdited(stored, text) }
  } catch (error) {
    return { text, problem: problemOf(error) }
  }
}

export function stateIn(store: CassetteStore, path: string): CassetteState {
  try {
    const { text, cassette, stored } = store.open(path) ?? {}
    return stored
      ? { text: text!, cassette: cassette!, isEdited: isEdited(stored, text) }
      : { text: '', problem: 'it is gone' }
  } catch (error) {
    return { text: '', problem: problemOf(error) }
  }
}

function problemOf(error: unknown): string {
  return withoutName(error as Error).split('\n')[0]!
}
