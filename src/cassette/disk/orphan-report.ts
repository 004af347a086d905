import type { JudgedFolder } from './prune.ts'

/** Names the file into which a run writes its {@link OrphanReport}; `prune` sets it. */
export const ORPHAN_REPORT = 'VITEST_CASSETTE_ORPHANS'

/** The report of a run on all cassette folders of its projects, for the process that started the run. */
export interface OrphanReport {
  /** The reason why the run reports nothing. */
  silence?: string
  folders: JudgedFolder[]
}
