import { loadLater } from '../../../real/load-later.ts'

/** Loads what shares the network with other users of MSW, whom few tests have. */
export const loadSharing: () => typeof import('./share-network.ts') = loadLater(
  './share-network.mjs',
  () => import('./share-network.ts'),
)
