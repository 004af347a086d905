import { loadLater } from '../real/load-later.ts'

/** Loads what reads the values of a test: few tests have parameters or redaction rules, or other volatile values. */
export const loadLiveValues: () => typeof import('./live-values.ts') = loadLater(
  './live-values.mjs',
  () => import('./live-values.ts'),
)
