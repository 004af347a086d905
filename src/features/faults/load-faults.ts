import { loadLater } from '../../real/load-later.ts'

/** Loads the faults that a test declares: few tests declare any. */
export const loadFaults: () => typeof import('./faults.ts') = loadLater(
  './faults.mjs',
  () => import('./faults.ts'),
)
