import { loadLater } from '../../real/load-later.ts'

/** Loads what takes secrets out of reports: a run in which nothing fails has none. */
export const loadHiding: () => typeof import('./hide-in-report.ts') = loadLater(
  './hide-in-report.mjs',
  () => import('./hide-in-report.ts'),
)
