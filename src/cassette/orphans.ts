import { posix } from 'node:path'
import { CassetteError } from '../errors.ts'
import type { Cassette } from './cassette.ts'
import { isCassettePath } from './path.ts'
import type { CassetteStore } from './store.ts'

/** A cassette whose test, or test file, is gone. */
export interface Orphan {
  /** Below the cassette folder. */
  path: string
  /** The name of the conversation that it holds, for people. */
  id: string
  /** The conversation of the one living test that asks the same prompts: the test was renamed. */
  renamedTo?: string
}

/** The tests that there are, as far as a run has seen them. */
export interface LivingTests {
  /** The cassette paths of all tests of the files that were run, skipped ones too, and of the files themselves. */
  paths: ReadonlySet<string>
  /** Whether there is a test file to which a cassette path can belong, run or not. */
  hasTestFile(path: string): boolean
}

/**
 * Finds the cassettes that no test can use any more. Files that are no readable cassettes, or lie where
 * none would be written, are not looked at.
 */
export function findOrphans(store: CassetteStore, living: LivingTests): Orphan[] {
  const paths = store.list()
  const folders = new Set(Array.from(living.paths, (path) => posix.dirname(path)))
  const orphans = paths.filter(
    (path) =>
      !living.paths.has(path) &&
      isCassettePath(path) &&
      (folders.has(posix.dirname(path)) || !living.hasTestFile(path)),
  )
  return orphans.flatMap((path) => {
    const cassette = tryLoad(store, path)
    if (!cassette) return []
    const alike = paths
      .filter((other) => living.paths.has(other) && mayBeRenamed(path, other))
      .flatMap((other) => tryLoad(store, other) ?? [])
      .filter((other) => asksTheSame(cassette, other))
    return {
      path,
      id: cassette.conversationId,
      ...(alike.length === 1 ? { renamedTo: alike[0]!.conversationId } : {}),
    }
  })
}

/** The title changed and the file stayed, or the file moved and the title stayed. */
function mayBeRenamed(path: string, other: string): boolean {
  const slug = (name: string): string => posix.basename(name).replace(/-[0-9a-f]{10}\.json$/, '')
  return posix.dirname(path) === posix.dirname(other) || slug(path) === slug(other)
}

function asksTheSame(cassette: Cassette, other: Cassette): boolean {
  const hashes = ({ exchanges }: Cassette): string =>
    exchanges.map(({ prompt }) => prompt.hash).join()
  return cassette.exchanges.length > 0 && hashes(cassette) === hashes(other)
}

function tryLoad(store: CassetteStore, path: string): Cassette | undefined {
  try {
    return store.load(path)
  } catch (error) {
    if (CassetteError.isInstance(error)) return undefined
    throw error
  }
}
