import { loadLater } from '../real/load-later.ts'

/** Loads what explains failures: replay never needs it. */
export const loadExplain: () => typeof import('./closing/explain-layer.ts') = loadLater(
  './explain.mjs',
  () => import('./closing/explain-layer.ts'),
)
