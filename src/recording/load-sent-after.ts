import { loadLater } from '../real/load-later.ts'

/** Loads what finds the order of several requests. */
export const loadSentAfter: () => typeof import('./sent-after.ts') = loadLater(
  './sent-after.mjs',
  () => import('./sent-after.ts'),
)
