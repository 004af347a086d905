import { loadLater } from '../../real/load-later.ts'

/** Loads what keeps an order: most tests ask one thing after the other. */
export const loadInOrder: () => typeof import('./in-order.ts') = loadLater(
  './in-order.mjs',
  () => import('./in-order.ts'),
)
