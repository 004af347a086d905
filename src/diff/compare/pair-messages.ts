import type { Message } from '../../prompt/prompt.ts'
import { alignSequences } from './align.ts'
import { pairOpposites } from './pair-opposites.ts'
import { messageKey } from './message-key.ts'
import { textsOf } from './prompt-texts.ts'
import { compareSketches, sketchWords, type WordSketch } from './word-sketch.ts'

/** Two messages that belong together, or one that was added or removed. */
export interface MessagePair {
  recorded?: number
  received?: number
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
  function score(old: Message, current: Message): number {
    const shared = compareSketches(sketchOf(old), sketchOf(current))
    if (old.role === current.role) return 0.2 + shared
    return shared > 0.8 ? shared - 0.5 : 0
  }

  const pairs: MessagePair[] = []
  for (const { same, recorded: old, received: current } of alignSequences(oldKeys, newKeys)) {
    if (same) {
      for (let at = 0; at < old[1] - old[0]; at++)
        pairs.push({ recorded: old[0] + at, received: current[0] + at })
      continue
    }
    const opposites = pairOpposites(old[1] - old[0], current[1] - current[0], (i, j) =>
      score(recorded[old[0] + i]!, received[current[0] + j]!),
    )
    for (const [i, j] of opposites) {
      const pair: MessagePair = {}
      if (i !== undefined) pair.recorded = old[0] + i
      if (j !== undefined) pair.received = current[0] + j
      pairs.push(pair)
    }
  }
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
  const removed = new Map<string, MessagePair[]>()
  for (const pair of pairs) {
    if (pair.received !== undefined) continue
    const key = oldKeys[pair.recorded!]!
    removed.set(key, [...(removed.get(key) ?? []), pair])
  }
  if (removed.size === 0) return pairs

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
