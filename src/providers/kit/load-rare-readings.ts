import { loadLater } from '../../real/load-later.ts'

/** Loads what reads headers that few requests have. */
export const loadRareReadings: () => typeof import('./rare-readings.ts') = loadLater(
  './rare-readings.mjs',
  () => import('./rare-readings.ts'),
)
