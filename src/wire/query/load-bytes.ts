import { loadLater } from '../../real/load-later.ts'

/** Loads what reads and spells queries with bytes that are no text: few have any. */
export const loadBytes: () => typeof import('./bytes.ts') = loadLater(
  './query-bytes.mjs',
  () => import('./bytes.ts'),
)
