import { posix } from 'node:path'
import { CassetteError } from '../../errors.ts'
import { pairRenamed } from './pair-renamed.ts'
import { isCassettePath } from './path.ts'
import type { CassetteStore } from './store.ts'
import { TestFiles } from './test-file.ts'

/** The first prompt that a cassette answers, as its hash; `undefined` where it cannot be read. */
export function firstPromptOf(store: CassetteStore, path: string): string | undefined {
  try {
    return store.load(path)?.exchanges[0]?.prompt.hash
  } catch (error) {
    if (CassetteError.isInstance(error)) return undefined
    throw error
  }
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
