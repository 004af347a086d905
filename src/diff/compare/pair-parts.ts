import type { Part } from '../../prompt/prompt.ts'
import { alignSequences } from './align.ts'
import { pairOpposites } from './pair-opposites.ts'
import { partKey } from './message-key.ts'
import { textSimilarity } from './word-sketch.ts'

/** Two parts of a message that belong together, or one that was added or removed. */
export interface PartPair {
  recorded?: number
  received?: number
}

/** Pairs the parts of two messages; only parts of one type belong together. */
export function pairParts(recorded: Part[], received: Part[]): PartPair[] {
  const [oldKeys, newKeys] = [recorded.map(partKey), received.map(partKey)]
  const pairs: PartPair[] = []
  for (const { same, recorded: old, received: current } of alignSequences(oldKeys, newKeys)) {
    if (same) {
      for (let at = 0; at < old[1] - old[0]; at++)
        pairs.push({ recorded: old[0] + at, received: current[0] + at })
      continue
    }
    const alone = old[1] - old[0] === 1 && current[1] - current[0] === 1
    const opposites = pairOpposites(old[1] - old[0], current[1] - current[0], (i, j) => {
      const [one, other] = [recorded[old[0] + i]!, received[current[0] + j]!]
      if (one.type !== other.type) return 0
      if (alone) return 1
      return (
        0.1 + sameTool(one, other) + textSimilarity(oldKeys[old[0] + i]!, newKeys[current[0] + j]!)
      )
    })
    for (const [i, j] of opposites) {
      const pair: PartPair = {}
      if (i !== undefined) pair.recorded = old[0] + i
      if (j !== undefined) pair.received = current[0] + j
      pairs.push(pair)
    }
  }
  return pairs
}

function sameTool(one: Part, other: Part): number {
  return one.type === 'tool_call' && other.type === 'tool_call' && one.name === other.name ? 1 : 0
}
