import { loadLater } from '../../real/load-later.ts'

/** Loads what takes secrets out of a text: a run that only replays writes none. */
export const loadRedactor: () => typeof import('../without-secrets.ts') = loadLater(
  './without-secrets.mjs',
  () => import('../without-secrets.ts'),
)
