import type { Later } from '../../intercept/answer/later.ts'
import { loadLater } from '../../intercept/patch/load-later.ts'

/** What answers requests in a test. */
export const later = {
  replay: loadLater('./replay.mjs', () => import('./replay.ts')),
  engine: loadLater('./engine.mjs', () => import('./engine.ts')),
  network: loadLater('./network.mjs', () => import('../../intercept/http/network.ts')),
} satisfies Later
