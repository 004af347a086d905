import { loadLater } from '../../real/load-later.ts'

/** Loads what compares tools that are told, and texts that were cut: most cassettes have neither. */
export const loadTold: () => typeof import('./told-layer.ts') = loadLater(
  './told.mjs',
  () => import('./told-layer.ts'),
)
