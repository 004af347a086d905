import type { Message } from '../../prompt/prompt.ts'
import { messageKey } from './message-key.ts'
import { pairSequences, type ItemPair } from './pair-sequences.ts'
import { textsOf } from './prompt-texts.ts'
import { compareSketches, sketchWords, type WordSketch } from './word-sketch.ts'

/** Two messages that belong together, or one that was added or removed. */
export interface MessagePair extends ItemPair {
  /** The same message, at another place between its neighbours. */
  moved?: boolean
}

/** Pairs the messages of two conversations, in the order in which a reader meets them. */
export function pairMessages(recorded: Message[], received: Message[]): MessagePair[] {
  const [oldKeys, newKeys] = [recorded.map(messageKey), received.map(messageKey)]
  const sketches = new Map<Message, WordSketch>()

  function sketchOf(message: Message): WordSketch {
    const sketch = sketches.get(message) ?? sketchWords(textsOf(message))
    sketches.set(message, sketch)
    return sketch
  }

  /** Messages of one role belong together however little they share; others only when nearly equal. */
  function score(at: number, currentAt: number): number {
    const [old, current] = [recorded[at]!, received[currentAt]!]
    const shared = compareSketches(sketchOf(old), sketchOf(current))
    if (old.role === current.role) return 0.2 + shared
    return shared > 0.8 ? shared - 0.5 : 0
  }

  const pairs: MessagePair[] = pairSequences(oldKeys, newKeys, score)
  reuniteSwapped(pairs, oldKeys, newKeys)
  return reuniteMoved(pairs, oldKeys, newKeys)
}

/** Turns two edits into two moves if each message stands in the place of the other. */
function reuniteSwapped(pairs: MessagePair[], oldKeys: string[], newKeys: string[]): void {
  const edited = new Map<string, MessagePair>()
  for (const pair of pairs) {
    const { recorded, received } = pair
    if (recorded === undefined || received === undefined) continue
    const [old, current] = [oldKeys[recorded]!, newKeys[received]!]
    if (old === current) continue
    const other = edited.get(`${current}\n${old}`)
    if (!other) {
      edited.set(`${old}\n${current}`, pair)
      continue
    }
    edited.delete(`${current}\n${old}`)
    Object.assign(pair, { recorded: other.recorded, moved: true })
    Object.assign(other, { recorded, moved: true })
  }
}

/** Turns a removed and an added message with the same content into a moved one. */
function reuniteMoved(pairs: MessagePair[], oldKeys: string[], newKeys: string[]): MessagePair[] {
  const removed = Map.groupBy(
    pairs.filter(({ received }) => received === undefined),
    ({ recorded }) => oldKeys[recorded!]!,
  )
  const gone = new Set<MessagePair>()
  for (const pair of pairs) {
    if (pair.recorded !== undefined) continue
    const origin = removed.get(newKeys[pair.received!]!)?.shift()
    if (!origin) continue
    pair.recorded = origin.recorded!
    pair.moved = true
    gone.add(origin)
  }
  return pairs.filter((pair) => !gone.has(pair))
}
