import { alignSequences } from '../align.ts'
import { pairOpposites } from '../pair-opposites.ts'

/** Two items that belong together, or one that was added or removed. */
export interface ItemPair {
  recorded?: number
  received?: number
}

/**
 * Pairs the items of two sequences: those with the same keys, and between them those with the best scores.
 *
 * @param score of two items that differ; `alone` if no other items stand between those with the same keys
 */
export function pairSequences(
  recorded: string[],
  received: string[],
  score: (recorded: number, received: number, alone: boolean) => number,
): ItemPair[] {
  return alignSequences(recorded, received).flatMap(
    ({ same, recorded: old, received: current }) => {
      const [removed, added] = [old[1] - old[0], current[1] - current[0]]
      if (same) return Array.from({ length: removed }, (_, at) => pairOf(at, at))
      const alone = removed === 1 && added === 1
      const opposites = pairOpposites(removed, added, (i, j) =>
        score(old[0] + i, current[0] + j, alone),
      )
      return opposites.map(([i, j]) => pairOf(i, j))

      function pairOf(i: number | undefined, j: number | undefined): ItemPair {
        const pair: ItemPair = {}
        if (i !== undefined) pair.recorded = old[0] + i
        if (j !== undefined) pair.received = current[0] + j
        return pair
      }
    },
  )
}
