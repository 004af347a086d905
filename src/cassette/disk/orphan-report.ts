import type { JudgedFolder } from './prune.ts'

/** Names the file into which a run writes its {@link OrphanReport}; `prune` sets it. */
export const ORPHAN_REPORT = 'VITEST_CASSETTE_ORPHANS'

/** What a run says about all cassette folders of its projects, to the process that started it. */
export interface OrphanReport {
  /** Why the run says nothing. */
  silence?: string
  folders: JudgedFolder[]
}
