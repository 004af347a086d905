import type { Message, Part } from '../../prompt/prompt.ts'
import {
  changeOf,
  diffTexts,
  type PromptChange,
  type Content,
  type MessagePlace,
  type PartPlace,
} from './prompt-change.ts'
import { diffJson } from './diff-fields.ts'
import { omitCallIds } from './json-key.ts'
import { openJsonTexts } from './open-json-texts.ts'
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

/** The changes in one part of two messages that belong together. */
export function diffPart(
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
  return [changeOf(placeAt(''), before && contentOf(before), after && contentOf(after))]
}

/** The place of a part in its message. */
export function partPlace(part: Part, index: number, message: Message): PartPlace {
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
    return diffJson(...openJsonTexts(before.result, after.result), '', placeAt)
  }
  if (before.type === 'other' && after.type === 'other') {
    return diffJson(omitCallIds(before.value), omitCallIds(after.value), '', placeAt)
  }
  if ('text' in before && 'text' in after) return diffTexts(placeAt(''), before.text, after.text)
  if (before.type === 'uri' && after.type === 'uri')
    return diffTexts(placeAt(''), before.uri, after.uri)
  return [changeOf(placeAt(''), contentOf(before), contentOf(after))]
}

function contentOf(part: Part): Content {
  return { type: 'part', part }
}
