import { loadLater } from '../../../real/load-later.ts'

/** Loads what closes tests and files that ask, and names them. */
export const loadClosing: () => typeof import('./closing-layer.ts') = loadLater(
  './closing.mjs',
  () => import('./closing-layer.ts'),
)
