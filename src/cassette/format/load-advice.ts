import { loadLater } from '../../real/load-later.ts'

/** Loads what advises on files that cannot be read. */
export const loadAdvice: () => typeof import('./advise-on-text.ts') = loadLater(
  './advise-on-text.mjs',
  () => import('./advise-on-text.ts'),
)
