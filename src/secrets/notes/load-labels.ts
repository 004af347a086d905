import { loadLater } from '../../real/load-later.ts'

/** Loads what tells credentials for other servers apart: few requests have any. */
export const loadLabels: () => typeof import('../find/credential-labels.ts') = loadLater(
  './credential-labels.mjs',
  () => import('../find/credential-labels.ts'),
)
