import * as posix from 'node:path/posix'
import { basename, dirname, join, resolve } from '../real/path.ts'
import { readdirSync, statSync } from '../real/files.ts'
import { hashesAt } from './format/rules.ts'
import { FILE_SCOPE, isCassettePath } from './paths.ts'
import { ifReadable } from './reader.ts'
import type { CassetteStore } from './store.ts'
import { folderOfFile } from './test-place.ts'

/** A cassette whose test, or test file, is gone. */
export interface Orphan {
  /** Below the cassette folder. */
  path: string
  /** The name of the conversation that it holds, for people. */
  id: string
  /** The conversation of the one living test that asks the same prompts: the test was renamed. */
  renamedTo?: string
}

/** The verdict of a run of all tests on one cassette folder. */
export interface JudgedFolder {
  /** The root of the project. */
  root: string
  /** The cassette folder, relative to the root. */
  dir: string
  orphans: Orphan[]
}

/** The report of a run on all cassette folders of its projects, for the process that started the run. */
export interface OrphanReport {
  /** The reason why the run reports nothing. */
  silence?: string
  folders: JudgedFolder[]
}

/** The existing tests, as far as a run has seen them. */
export interface LivingTests {
  /** The cassette paths of all tests of the files that were run, skipped ones too, and of the files themselves. */
  paths: ReadonlySet<string>
  /** Whether there is a test file to which a cassette path can belong, run or not. */
  hasTestFile(path: string): boolean
}

/**
 * Finds the cassettes that no test can use any more. Ignores files that are no readable cassettes, or that lie where
 * no cassette would be written.
 */
export function findOrphans(store: CassetteStore, living: LivingTests): Orphan[] {
  const paths = store.list()
  const orphans = orphanPaths(paths, living).filter(
    (path) => !isLivingElsewise(store, path, living),
  )
  const names = new Set(orphans.flatMap(namesKept))
  const others = paths
    .filter((path) => living.paths.has(path) && namesKept(path).some((name) => names.has(name)))
    .flatMap((path) => read(store, path) ?? [])
  const byTrace = Map.groupBy(
    others.flatMap((other) => other.traces.map((trace) => ({ trace, id: other.id }))),
    ({ trace }) => trace,
  )
  return orphans.flatMap((path) => {
    const orphan = read(store, path)
    if (!orphan) return []
    // Two matches already make the new name ambiguous.
    const alike = orphan.traces.flatMap((trace) => byTrace.get(trace)?.slice(0, 2) ?? [])
    const [renamed, ...more] = new Set(alike.map(({ id }) => id))
    const renamedTo = renamed !== undefined && more.length === 0 ? { renamedTo: renamed } : {}
    return { path, id: orphan.id, ...renamedTo }
  })
}

/**
 * Whether a test uses a cassette by another spelling of its path, as where the case of the name of a test file changed on
 * a file system that does not tell cases apart.
 */
function isLivingElsewise(store: CassetteStore, path: string, { paths }: LivingTests): boolean {
  const read = plainly(path)
  return [...paths].some((one) => plainly(one) === read && isSameCassette(store, path, one))
}

/** Whether two paths lead to one cassette, as where the file system does not tell upper from lower case. */
export function isSameCassette(store: CassetteStore, path: string, other: string): boolean {
  const [one, another] = [path, other].map((name) =>
    statSync(resolve(store.pathFrom(process.cwd(), name)), {
      bigint: true,
      throwIfNoEntry: false,
    }),
  )
  return one !== undefined && one.dev === another?.dev && one.ino === another.ino
}

function plainly(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** Those of some paths at which a cassette would be an orphan. */
export function orphanPaths(paths: readonly string[], living: LivingTests): string[] {
  const folders = new Set(Array.from(living.paths, (path) => posix.dirname(path)))
  return paths.filter(
    (path) =>
      !living.paths.has(path) &&
      isCassettePath(path) &&
      (folders.has(posix.dirname(path)) || !living.hasTestFile(path)),
  )
}

/** The parts of a path that can survive a rename: the folder if the title changed, the slug if the file moved. */
function namesKept(path: string): string[] {
  const slug = posix.basename(path).replace(/-[0-9a-f]{10}\.json$/, '')
  return [`in ${posix.dirname(path)}`, `called ${slug}`]
}

/** The conversation of a cassette, and the keys that find one with the same prompts; `undefined` if unreadable. */
function read(store: CassetteStore, path: string): { id: string; traces: string[] } | undefined {
  const stored = ifReadable(() => store.readStored(path))
  if (!stored) return undefined
  const asked = (stored.hashes ?? []).map((_, at) => hashesAt(stored, at)[0]).join()
  const traces = asked === '' ? [] : namesKept(path).map((name) => `${name} ${asked}`)
  return { id: stored.conversation_id, traces }
}

/** The first prompt that a cassette answers, as its hash; `undefined` where it cannot be read. */
export function firstPromptOf(store: CassetteStore, path: string): string | undefined {
  return ifReadable(() => store.load(path)?.exchanges[0]?.prompt.hash)
}

/** The prompts that a cassette answers, as their hashes; none where there is no cassette that can be read. */
export function hashesAnswered(store: CassetteStore, path: string): Array<string | undefined> {
  return ifReadable(() => store.load(path)?.exchanges.map(({ prompt }) => prompt.hash)) ?? []
}

/**
 * The cassettes without a test that tests of a file can have had before they were renamed, each with the hash of its first
 * prompt: those in the folder of the file, and those whose own test file is gone.
 *
 * @param root the root of the project, from which test files are found
 * @param folder the folder of the cassettes of the file
 * @param living the paths of all cassettes that tests of the file have
 */
export function firstPromptsOfLone(
  store: CassetteStore,
  root: string,
  folder: string,
  living: ReadonlySet<string>,
): Map<string, string | undefined> {
  const files = new TestFiles(root)
  const lone = store
    .list()
    .filter((path) => isCassettePath(path) && !living.has(path))
    .filter((path) => posix.dirname(path) === folder || !files.has(path))
  return new Map(lone.map((path) => [path, firstPromptOf(store, path)]))
}

/** A cassette without a test, and where a test without a cassette looks for it. */
interface Pair {
  from: string
  to: string
}

/**
 * Pairs tests without a cassette with cassettes without a test, all of which begin with one prompt: those of the same
 * titles, as where a file was renamed; then those of the same last title, as where a suite was renamed; and then the
 * only one that is left of each. What is ambiguous stays unpaired.
 *
 * @param tests the paths of the cassettes that the tests look for
 * @param orphans the paths of the cassettes
 */
export function pairRenamed(tests: readonly string[], orphans: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  for (const keyOf of [nameOf, titleOf, () => '']) {
    const leftTests = tests.filter((test) => pairs.every(({ to }) => to !== test))
    const leftOrphans = orphans.filter((one) => pairs.every(({ from }) => from !== one))
    pairs.push(...pairOnly(leftTests, leftOrphans, keyOf))
  }
  return pairs
}

/** The pairs of which no other test and no other cassette has the key. */
function pairOnly(
  tests: readonly string[],
  orphans: readonly string[],
  keyOf: (path: string) => string,
): Pair[] {
  const byKey = Map.groupBy(orphans, keyOf)
  return [...Map.groupBy(tests, keyOf)].flatMap(([key, [to, ...others]]) => {
    const [from, ...more] = byKey.get(key) ?? []
    return from !== undefined && others.length + more.length === 0 ? [{ from, to: to! }] : []
  })
}

/** The file name of a cassette: the last title of its test, and a hash of all, whatever the name of the test file. */
function nameOf(path: string): string {
  return posix.basename(path)
}

function titleOf(path: string): string {
  return nameOf(path).replace(/-[^-]*$/, '')
}

/**
 * Finds out whether the test file of a cassette still exists, whether or not it was run. Paths of cassettes replace
 * characters that some systems do not allow, so this looks for files whose cassettes would have the path. Reads each
 * folder once.
 */
export class TestFiles {
  readonly #root: string
  /** The names in each folder, by their spelling in paths of cassettes. */
  readonly #names: Map<string, Map<string, string[]>> = new Map()
  readonly #known: Map<string, string[]> = new Map()

  /** @param root the root of the project */
  constructor(root: string) {
    this.#root = root
  }

  /** @param path the path of a cassette, below the cassette folder */
  has(path: string): boolean {
    return this.#filesOf(path).length > 0
  }

  /**
   * The test files whose cassettes can have one path, so that they overwrite each other; empty where there is one. Names
   * whose letters are composed in two ways are one name on a Mac. Of other names that are spelled alike in paths, only
   * what belongs to the file itself has one path.
   */
  overwriting(path: string): string[] {
    const files = this.#filesOf(path)
    if (files.length < 2) return []
    if (basename(path) === FILE_SCOPE) return files
    const same = Map.groupBy(files, (file) => file.normalize('NFC'))
    return [...same.values()].find((equal) => equal.length > 1) ?? []
  }

  /** The test file whose name reads as that of a cassette's, but for upper and lower case. */
  spelledElsewise(path: string): string | undefined {
    let places = [this.#root]
    for (const segment of posix.dirname(path).split('/')) {
      places = places.flatMap((place) =>
        [...this.#namesIn(place)].flatMap(([spelled, names]) =>
          plainly(spelled) === plainly(segment) ? names.map((name) => join(place, name)) : [],
        ),
      )
    }
    return places[0]
  }

  #filesOf(path: string): string[] {
    const folder = posix.dirname(path)
    let known = this.#known.get(folder)
    if (!known) this.#known.set(folder, (known = this.#find(folder)))
    return known
  }

  #find(folder: string): string[] {
    let places = [this.#root]
    for (const segment of folder.split('/')) {
      places = places.flatMap((place) => [
        ...(this.#namesIn(place).get(segment) ?? []).map((name) => join(place, name)),
        // A test file outside the root.
        ...(segment === '_' ? [dirname(place)] : []),
      ])
    }
    return places
  }

  #namesIn(place: string): Map<string, string[]> {
    let names = this.#names.get(place)
    if (!names) this.#names.set(place, (names = Map.groupBy(namesIn(place), folderOfFile)))
    return names
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
