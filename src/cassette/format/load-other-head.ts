import { loadLater } from '../../real/load-later.ts'

/** Loads what changes the head of a cassette alone, as some commands do. */
export const loadOtherHead: () => typeof import('./other-head.ts') = loadLater(
  './other-head.mjs',
  () => import('./other-head.ts'),
)
