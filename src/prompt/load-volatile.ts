import { loadLater } from '../real/load-later.ts'

/** Loads what reads volatile values: few tests have rules for them. */
export const loadVolatile: () => typeof import('./volatile.ts') = loadLater(
  './volatile.mjs',
  () => import('./volatile.ts'),
)
