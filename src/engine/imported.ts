import { loadLater } from '../real/load-later.ts'
import type { Incoming } from './incoming.ts'

/** Loads what compares imported exchanges: few cassettes hold one. */
const loadImported: () => typeof import('./session/as-imported.ts') = loadLater(
  './as-imported.mjs',
  () => import('./session/as-imported.ts'),
)

/** A live request without what is unknown of the recorded one, for a comparison of the two. */
export function comparableTo(known: Incoming, asked: Incoming): Incoming {
  return known.wire.imported ? loadImported().asImported(known, asked, comparableTo) : asked
}
