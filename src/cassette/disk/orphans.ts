import { posix } from 'node:path'
import { isCassettePath } from './path.ts'
import { hashesOf } from '../format/stored-hashes.ts'
import { ifReadable } from './reader.ts'
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
  const folders = new Set(Array.from(living.paths, (path) => posix.dirname(path)))
  const orphans = paths.filter(
    (path) =>
      !living.paths.has(path) &&
      isCassettePath(path) &&
      (folders.has(posix.dirname(path)) || !living.hasTestFile(path)),
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

/** The parts of a path that can survive a rename: the folder if the title changed, the slug if the file moved. */
function namesKept(path: string): string[] {
  const slug = posix.basename(path).replace(/-[0-9a-f]{10}\.json$/, '')
  return [`in ${posix.dirname(path)}`, `called ${slug}`]
}

/** The conversation of a cassette, and the keys that find one with the same prompts; `undefined` if unreadable. */
function read(store: CassetteStore, path: string): { id: string; traces: string[] } | undefined {
  const stored = ifReadable(() => store.readStored(path))
  if (!stored) return undefined
  const asked = stored.exchanges.map((exchange) => hashesOf(stored, exchange).prompt ?? '').join()
  const traces = asked === '' ? [] : namesKept(path).map((name) => `${name} ${asked}`)
  return { id: stored.conversation_id, traces }
}
