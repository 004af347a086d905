import type { Part } from '../../prompt/prompt.ts'
import { partKey } from './message-key.ts'
import { pairSequences, type ItemPair } from './pair-sequences.ts'
import { textSimilarity } from './word-sketch.ts'

/** Pairs the parts of two messages; only parts of one type belong together. */
export function pairParts(recorded: Part[], received: Part[]): ItemPair[] {
  const [oldKeys, newKeys] = [recorded.map(partKey), received.map(partKey)]
  return pairSequences(oldKeys, newKeys, (old, current, alone) => {
    const [one, other] = [recorded[old]!, received[current]!]
    if (one.type !== other.type) return 0
    if (alone) return 1
    return 0.1 + sameTool(one, other) + textSimilarity(oldKeys[old]!, newKeys[current]!)
  })
}

function sameTool(one: Part, other: Part): number {
  return one.type === 'tool_call' && other.type === 'tool_call' && one.name === other.name ? 1 : 0
}
