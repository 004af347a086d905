import type { Message, Part } from '../prompt/prompt.ts'
import { type ItemPair, pairSequences } from './align.ts'
import { diffJson } from './diff-json.ts'
import { extraOf, messageKey, messageTexts, partKey } from './message-key.ts'
import {
  changeOf,
  type Content,
  diffTexts,
  type MessagePlace,
  type PartPlace,
  type PromptChange,
} from './prompt-change.ts'
import { compareSketches, sketchWords, textSimilarity, type WordSketch } from './similarity.ts'
import { jsonKey, omitCallIds } from '../prompt/json-key.ts'

/** Compares two conversations: messages added, removed and moved, and the changes inside the others. */
export function diffMessages(recorded: Message[], received: Message[]): PromptChange[] {
  const compared = pairMessages(recorded, received).map((pair) => {
    const [old, current] = [recorded[pair.recorded ?? -1], received[pair.received ?? -1]]
    if (old && current) return compareMessages(old, current, pair)
    return { pair, parts: [], changes: [addedOrRemoved(old, current, pair)] }
  })
  diffAnsweredCalls(recorded, received, compared)
  return countUnchanged(compared)
}

function compareMessages(old: Message, current: Message, pair: MessagePair): ComparedMessage {
  const parts = pairParts(old.parts, current.parts)
  const inside = (path: string): MessagePlace => messagePlace(pair, current.role, path)

  const moved: PromptChange = { kind: 'moved', place: inside(''), after: contentOf(current) }
  const changes = [
    ...(pair.moved ? [moved] : []),
    ...diffTexts(inside('role'), old.role, current.role),
    ...parts.flatMap((partPair) => diffPart(old, current, partPair, inside)),
    ...diffJson(extraOf(old), extraOf(current), '', inside),
  ]
  return { pair, parts, changes: changes as MessageChange[] }
}

function addedOrRemoved(
  old: Message | undefined,
  current: Message | undefined,
  pair: MessagePair,
): MessageChange {
  const place = messagePlace(pair, (current ?? old)!.role, '')
  return changeOf(place, old && contentOf(old), current && contentOf(current))
}

function contentOf(message: Message): Content {
  return { type: 'message', message }
}

function countUnchanged(compared: ComparedMessage[]): PromptChange[] {
  const all: MessageChange[] = []
  let unchanged = 0
  for (const { changes } of compared) {
    const [first] = changes
    if (!first) {
      unchanged++
      continue
    }
    first.place.unchangedBefore = unchanged
    unchanged = 0
    for (const change of changes) all.push(change)
  }
  const last = all.at(-1)
  if (last) last.place.unchangedAfter = unchanged
  return all
}

/** Adds a change for every tool result that answers another call than the one it was recorded for. */
function diffAnsweredCalls(
  recorded: Message[],
  received: Message[],
  compared: ComparedMessage[],
): void {
  const [oldAnswers, newAnswers] = [findAnsweredCalls(recorded), findAnsweredCalls(received)]
  const counterparts = new Map<string, string>()
  for (const { pair, parts } of compared) {
    for (const part of parts) {
      if (part.recorded === undefined || part.received === undefined) continue
      counterparts.set(
        placeKey(pair.recorded!, part.recorded),
        placeKey(pair.received!, part.received),
      )
    }
  }

  for (const { pair, parts, changes } of compared) {
    for (const part of parts) {
      if (part.recorded === undefined || part.received === undefined) continue
      const before = oldAnswers.get(placeKey(pair.recorded!, part.recorded))
      const after = newAnswers.get(placeKey(pair.received!, part.received))
      // A removed call is a change of its own; its result then has nothing to answer.
      const expected = before && (counterparts.get(before.key) ?? after?.key)
      if (expected === after?.key) continue
      const message = received[pair.received!]!
      const place = messagePlace(pair, message.role, 'answered call')
      place.part = partPlace(message.parts[part.received]!, part.received, message)
      changes.push(
        changeOf(
          place,
          { type: 'text', text: before?.text ?? 'answers no call' },
          { type: 'text', text: after?.text ?? 'answers no call' },
        ),
      )
    }
  }
}

interface AnsweredCall {
  key: string
  text: string
}

/** The call that each tool result answers: the last one before it with the same id. */
function findAnsweredCalls(messages: Message[]): Map<string, AnsweredCall> {
  const calls = new Map<string, AnsweredCall>()
  const answers = new Map<string, AnsweredCall>()
  for (const [messageIndex, message] of messages.entries()) {
    for (const [partIndex, part] of message.parts.entries()) {
      const key = placeKey(messageIndex, partIndex)
      const id = idOf(part)
      if (id === undefined) continue
      if (part.type === 'tool_call')
        calls.set(id, { key, text: describeCall(part, messageIndex, partIndex) })
      else if (calls.has(id)) answers.set(key, calls.get(id)!)
    }
  }
  return answers
}

function idOf(part: Part): string | undefined {
  return part.type === 'tool_call' || part.type === 'tool_call_response' ? part.id : undefined
}

function describeCall(
  part: Part & { type: 'tool_call' },
  message: number,
  position: number,
): string {
  return `message ${message + 1}, part ${position + 1}: ${part.name} ${jsonKey(part.arguments)}`
}

function placeKey(message: number, part: number): string {
  return `${message}.${part}`
}

/** Pairs the parts of two messages; only parts of one type belong together. */
function pairParts(recorded: Part[], received: Part[]): ItemPair[] {
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

/** The changes in one part of two messages that belong together. */
function diffPart(
  old: Message,
  current: Message,
  pair: ItemPair,
  inside: (path: string) => MessagePlace,
): PromptChange[] {
  const [before, after] = [old.parts[pair.recorded ?? -1], current.parts[pair.received ?? -1]]
  const part = after
    ? partPlace(after, pair.received!, current)
    : partPlace(before!, pair.recorded!, old)
  const placeAt = (path: string): MessagePlace => ({ ...inside(path), part })

  if (before && after) return compareParts(before, after, placeAt)
  return [changeOf(placeAt(''), before && contentOfPart(before), after && contentOfPart(after))]
}

/** The place of a part in its message. */
function partPlace(part: Part, index: number, message: Message): PartPlace {
  const place: PartPlace = { type: part.type, number: index + 1, count: message.parts.length }
  if (part.type === 'tool_call') place.tool = part.name
  return place
}

function compareParts(
  before: Part,
  after: Part,
  placeAt: (path: string) => MessagePlace,
): PromptChange[] {
  if (partKey(before) === partKey(after)) return []
  if (before.type === 'tool_call' && after.type === 'tool_call') {
    return [
      ...diffTexts(placeAt('name'), before.name, after.name),
      ...diffJson(before.arguments, after.arguments, 'arguments', placeAt),
    ]
  }
  if (before.type === 'tool_call_response' && after.type === 'tool_call_response') {
    return diffJson(before.result, after.result, '', placeAt, true)
  }
  if (before.type === 'other' && after.type === 'other') {
    return diffJson(omitCallIds(before.value), omitCallIds(after.value), '', placeAt)
  }
  if ('text' in before && 'text' in after) return diffTexts(placeAt(''), before.text, after.text)
  if (before.type === 'uri' && after.type === 'uri')
    return diffTexts(placeAt(''), before.uri, after.uri)
  return [changeOf(placeAt(''), contentOfPart(before), contentOfPart(after))]
}

function contentOfPart(part: Part): Content {
  return { type: 'part', part }
}

/** Two messages that belong together, or one that was added or removed. */
interface MessagePair extends ItemPair {
  /** The same message, at another place between its neighbours. */
  moved?: boolean
}

/** Pairs the messages of two conversations, in the order in which a reader meets them. */
function pairMessages(recorded: Message[], received: Message[]): MessagePair[] {
  const [oldKeys, newKeys] = [recorded.map(messageKey), received.map(messageKey)]
  const sketches = new Map<Message, WordSketch>()

  function sketchOf(message: Message): WordSketch {
    const sketch = sketches.get(message) ?? sketchWords(messageTexts(message))
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

/** A pair of messages, the pairs of their parts, and the changes between them. */
interface ComparedMessage {
  pair: MessagePair
  parts: ItemPair[]
  changes: MessageChange[]
}

/** A change inside a conversation. */
type MessageChange = PromptChange & { place: MessagePlace }

/** The place of `path` inside a message. */
function messagePlace(pair: MessagePair, role: string, path: string): MessagePlace {
  const place: MessagePlace = { area: 'message', role, path, unchangedBefore: 0, unchangedAfter: 0 }
  if (pair.recorded !== undefined) place.recorded = pair.recorded + 1
  if (pair.received !== undefined) place.received = pair.received + 1
  return place
}
