import { loadLater } from '../../real/load-later.ts'

/** Loads what encodes cassettes: a run that only replays writes none. */
export const loadReadBack: () => typeof import('./read-back.ts') = loadLater(
  './read-back.mjs',
  () => import('./read-back.ts'),
)
