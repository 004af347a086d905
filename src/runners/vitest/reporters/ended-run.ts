import type { Colors } from 'picocolors/types.js'
import type { SerializedError, TestModule, Vitest } from 'vitest/node'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import type { SeenServers } from '../../../transports/reports.ts'

/** A run of Vitest that has ended. */
export interface EndedRun {
  vitest: Vitest
  modules: readonly TestModule[]
  passed: boolean
  /** The errors that no test and no file can report. */
  errors: readonly SerializedError[]
  seen: readonly SeenServers[]
  /** The counts of each file and test with a cassette, with its project. */
  asked: Array<{ project: string; meta: CassetteMeta }>
  /** Whether a test asked, or has exchanges that it did not ask for. */
  isAsked: boolean
  /** Whether its results say something about the recordings. */
  isCounted: boolean
  /** By path. */
  folders: ReadonlyMap<string, CassetteFolderOfRun>
  /** The folder of a run of `prune`. */
  pruneRun?: string
  paint: Colors
}

/** A cassette folder. */
export interface CassetteFolderOfRun {
  /** The root of the first project that uses it. */
  root: string
  /** The roots of all projects that use it. */
  roots: Set<string>
  config: ResolvedConfig
}
