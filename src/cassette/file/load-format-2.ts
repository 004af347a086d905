import { loadLater } from '../../real/load-later.ts'

/** Loads what reads files of version 2. */
export const loadFormat2: () => typeof import('./as-format-1.ts') = loadLater(
  './format-2.mjs',
  () => import('./as-format-1.ts'),
)
