import { loadLater } from '../../real/load-later.ts'

/** Loads what writes one sample of a test beside the others: most tests are not repeated. */
export const loadSamples: () => typeof import('./samples.ts') = loadLater(
  './samples.mjs',
  () => import('./samples.ts'),
)
