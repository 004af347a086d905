import { posix } from 'node:path'
import { isCassettePath } from './path.ts'
import { ifReadable } from './reader.ts'
import type { CassetteStore } from './store.ts'
import { TestFiles } from './test-file.ts'

/** The first prompt that a cassette answers, as its hash; `undefined` where it cannot be read. */
export function firstPromptOf(store: CassetteStore, path: string): string | undefined {
  return ifReadable(() => store.load(path)?.exchanges[0]?.prompt.hash)
}

/**
 * Finds the cassette that a test had before it was renamed: the only one without a test whose first prompt is the
 * same, or of several the only one with the same titles, or with the same last title.
 *
 * @param root the root of the project, from which test files are found
 * @param place the path of the cassette that the test has now
 * @param living the paths of all cassettes that tests of the same file have
 * @param asks the hash of the first prompt of the test
 */
export function findRenamed(
  store: CassetteStore,
  root: string,
  place: string,
  living: ReadonlySet<string>,
  asks: string,
): string | undefined {
  const files = new TestFiles(root)
  const isHere = (path: string): boolean => posix.dirname(path) === posix.dirname(place)
  const found = store
    .list()
    .filter((path) => isCassettePath(path) && !living.has(path))
    .filter((path) => isHere(path) || !files.has(path))
    .filter((path) => firstPromptOf(store, path) === asks)
  return pairRenamed([place], found)[0]?.from
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
