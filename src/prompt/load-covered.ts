import { loadLater } from '../real/load-later.ts'

/** Loads what tells whether volatile rules cover a part of a prompt: few tests have such rules. */
export const loadCovered: () => typeof import('./volatile/covered.ts') = loadLater(
  './covered.mjs',
  () => import('./volatile/covered.ts'),
)
