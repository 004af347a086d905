import { loadLater } from '../../../real/load-later.ts'

/** Loads what tells the cassettes of tests apart that have the same titles. */
export const loadRows: () => typeof import('./rows.ts') = loadLater(
  './rows.mjs',
  () => import('./rows.ts'),
)
