import type { Dirent } from 'node:fs'
import { join, relative, resolve, sep } from '../real/path.ts'
import { CACHE_FOLDER, isWithin } from '../config/paths.ts'
import { CassetteError } from '../errors.ts'
import { sha256 } from '../prompt/sha256.ts'
import { existsSync, lstatSync, readdirSync } from '../real/files.ts'
import { loadPackage } from '../real/load-later.ts'
import { folderOfFile, type TestPlace } from './test-place.ts'

/** The file name of requests that belong to a file and to none of its tests. */
export const FILE_SCOPE = '_file.json'

/**
 * The path of a test's cassette below the cassette folder, with forward slashes: `<test file>/<slug of the
 * title>-<hash of all titles>.json`. The hash keeps titles apart that have the same slug or differ only in case. It
 * includes the file only if the folder cannot spell its name, so that `git mv` moves cassettes with their tests.
 */
export function cassettePath(place: TestPlace): string {
  const isSaid = folderOfFile(place.file) === place.file.normalize('NFC')
  return pathNamed(place, isSaid ? [] : [place.file])
}

/** The possible paths of a test's cassette: the current one, and the older one with the file in its hash. */
export function cassettePaths(place: TestPlace): readonly [string, string] {
  return [cassettePath(place), pathNamed(place, [place.file])]
}

/** The path of the existing cassette of a test, or of the one that it would get. */
export function cassettePathIn(folder: string, place: TestPlace): string {
  const path = cassettePath(place)
  if (existsSync(join(folder, path))) return path
  const [, older] = cassettePaths(place)
  return existsSync(join(folder, older)) ? older : path
}

function pathNamed({ file, titles, ordinal }: TestPlace, hashed: readonly string[]): string {
  const folder = folderOfFile(file)
  if (titles.length === 0) return `${folder}/${FILE_SCOPE}`
  const names = [...hashed, ...titles, ...(ordinal > 0 ? [`#${ordinal + 1}`] : [])]
  const hash = sha256(JSON.stringify(names.map((name) => name.normalize('NFC')))).slice(0, 10)
  return `${folder}/${slugOf(titles.at(-1)!) || 'test'}-${hash}.json`
}

/** A title as a part of a file name: at most 60 lowercase Latin letters, digits and hyphens; it can be empty. */
export function slugOf(title: string): string {
  return (isAscii(title) ? title : transliterate(title))
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 60)
    .replace(/-$/, '')
}

/** Most titles are ASCII, and the transliteration tables take longer to load than a test takes. */
function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

function transliterate(text: string): string {
  const { default: latinOf } = loadPackage('@sindresorhus/transliterate') as {
    default: (text: string) => string
  }
  return latinOf(text)
}

/** Whether {@link cassettePath} can return a path. */
export function isCassettePath(path: string): boolean {
  const segments = path.split('/')
  const name = segments.pop()!
  const folder = segments.join('/')
  const isNamed = name === FILE_SCOPE || /^[a-z0-9][a-z0-9-]{0,59}-[0-9a-f]{10}\.json$/.test(name)
  return isNamed && folder !== '' && folderOfFile(folder) === folder
}

/** Whether a path names a cassette of a test or a program below the cassette folder, and nothing outside of it. */
export function isBelowFolder(path: string): boolean {
  const segments = path.split('/')
  return path.endsWith('.json') && segments.every((name) => /^(?!\.)[^\\:\p{Cc}]+$/u.test(name))
}

/** The name of a conversation, for people. */
export function conversationId({ file, titles, ordinal }: TestPlace): string {
  return [file, ...titles].join(' > ') + (ordinal > 0 ? ` #${ordinal + 1}` : '')
}

/**
 * The folder of the cassettes that a run replays in place of those of a cassette folder, if it has any.
 *
 * @param folder the folder with all stand-ins of a run
 */
export function standInFolder(folder: string, root: string, dir: string): string {
  return join(folder, sha256(resolve(root, dir)).slice(0, 16))
}

/** One entry of a folder. */
export interface FolderEntry {
  /** Below the folder, with forward slashes; empty for the folder itself. */
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
}

/**
 * Lists all entries of a folder and its subfolders; none for a missing folder. Lists links without following them,
 * because a link may lead out of the folder or back into it. `readdir` with `recursive` follows them. Leaves out
 * `node_modules`: no cassette is there, but what is kept outside of git may be.
 */
export function folderEntries(folder: string): FolderEntry[] {
  return existsSync(folder) ? entriesBelow(folder, '') : []
}

function entriesBelow(folder: string, path: string): FolderEntry[] {
  const dirents = readdirSync(join(folder, path), { withFileTypes: true })
  return dirents.flatMap((dirent) => {
    if (dirent.name === 'node_modules') return []
    const entry = { path: `${path}${dirent.name}`, kind: kindOf(dirent) }
    return entry.kind === 'folder' ? [entry, ...entriesBelow(folder, `${entry.path}/`)] : [entry]
  })
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/**
 * The first symbolic link on the way from a folder to a file below it. Such a link could lead anywhere.
 *
 * Links on the way to the cache are allowed: pnpm, work trees and CI link `node_modules` and folders in it, and a
 * person who can put a link there can also put code there that tests run. Inside the cache, only this package writes.
 */
export function findSymlink(root: string, file: string): string | undefined {
  const cache = join(root, CACHE_FOLDER)
  let current = file !== cache && isWithin(cache, file) ? cache : root
  for (const segment of relative(current, file).split(sep)) {
    current = join(current, segment)
    if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink()) return current
  }
  return undefined
}

/**
 * Refuses to write through a link.
 *
 * @throws CassetteError `invalid-cassette`
 */
export function refuseSymlinks(root: string, file: string): void {
  const link = findSymlink(root, file)
  if (link !== undefined)
    throw new CassetteError('invalid-cassette', `${explainSymlink(link)}.\n${INSTEAD_OF_SYMLINK}`)
}

export function explainSymlink(link: string): string {
  return `${link} is a symbolic link, which could lead anywhere`
}

export const INSTEAD_OF_SYMLINK = 'Replace the link by the file or folder itself.'

/** Pictures of prompts without an answer, for a person to open; relative to the root of the project. */
export const ASKED_PICTURES = `${CACHE_FOLDER}/asked`
