import { loadLater } from '../../real/load-later.ts'

/** Loads what merges a recording with an older one: a first recording has none. */
export const loadMerge: () => typeof import('../keep-unchanged.ts') = loadLater(
  './merge.mjs',
  () => import('../keep-unchanged.ts'),
)
