import type { Message, Part } from '../../prompt/prompt.ts'
import type { Change, Content, MessagePlace, PartPlace } from './change.ts'
import { diffJson } from './diff-fields.ts'
import { omitCallIds } from './json-key.ts'
import { openJsonTexts } from './open-json-texts.ts'
import type { ItemPair } from './pair-sequences.ts'
import { partKey } from './message-key.ts'

/** The changes in one part of two messages that belong together. */
export function diffPart(
  old: Message,
  current: Message,
  pair: ItemPair,
  inside: (path: string) => MessagePlace,
): Change[] {
  const [before, after] = [old.parts[pair.recorded ?? -1], current.parts[pair.received ?? -1]]
  const part = after
    ? partPlace(after, pair.received!, current)
    : partPlace(before!, pair.recorded!, old)
  const placeAt = (path: string): MessagePlace => ({ ...inside(path), part })

  if (!before) return [{ kind: 'added', place: placeAt(''), after: { type: 'part', part: after! } }]
  if (!after)
    return [{ kind: 'removed', place: placeAt(''), before: { type: 'part', part: before } }]
  return compareParts(before, after, placeAt)
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
): Change[] {
  if (partKey(before) === partKey(after)) return []
  if (before.type === 'tool_call' && after.type === 'tool_call') {
    return [
      ...editedText(before.name, after.name, placeAt('name')),
      ...diffJson(before.arguments, after.arguments, 'arguments', placeAt),
    ]
  }
  if (before.type === 'tool_call_response' && after.type === 'tool_call_response') {
    return diffJson(...openJsonTexts(before.result, after.result), '', placeAt)
  }
  if (before.type === 'other' && after.type === 'other') {
    return diffJson(omitCallIds(before.value), omitCallIds(after.value), '', placeAt)
  }
  if ('text' in before && 'text' in after) {
    return editedText(before.text, after.text, placeAt(''))
  }
  if (before.type === 'uri' && after.type === 'uri') {
    return editedText(before.uri, after.uri, placeAt(''))
  }
  return [
    {
      kind: 'edited',
      place: placeAt(''),
      before: { type: 'part', part: before },
      after: { type: 'part', part: after },
    },
  ]
}

function editedText(before: string, after: string, place: MessagePlace): Change[] {
  if (before === after) return []
  return [{ kind: 'edited', place, before: textOf(before), after: textOf(after) }]
}

function textOf(text: string): Content {
  return { type: 'text', text }
}
