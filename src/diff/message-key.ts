import { isContainer, isRawNumber, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { walk } from '../json/walk.ts'
import {
  type Message,
  type Part,
  type PartVisitor,
  type Tool,
  visitPart,
} from '../prompt/prompt.ts'
import { jsonKey, omitCallIds } from '../prompt/json-key.ts'

/** A key that two messages share exactly if they differ at most in the ids of tool calls. */
export function messageKey(message: Message): string {
  return [jsonKey([message.role, extraOf(message)]), ...message.parts.map(partKey)].join('\n')
}

/** Like {@link messageKey}, of one part of a message. */
export function partKey(part: Part): string {
  return jsonKey(comparablePart(part))
}

/** A key that two tools share exactly if they are the same. */
export function toolKey(tool: Tool): string {
  return jsonKey(tool as unknown as JsonObject)
}

/** The fields of a message that no part carries, without ids of tool calls. */
export function extraOf(message: Message): JsonValue {
  return omitCallIds(message.extra ?? {})
}

function comparablePart(part: Part): JsonValue {
  if (part.type === 'other') return { type: 'other', value: omitCallIds(part.value) }
  if (part.type === 'tool_call' || part.type === 'tool_call_response') {
    const { id: _, ...rest } = part
    return rest
  }
  return part as unknown as JsonObject
}

/** Every text of a message that a reader would see, ids of tool calls left out. */
export function messageTexts(message: Message): string[] {
  const texts: string[] = []
  for (const part of message.parts) collectTexts(visitPart(part, READABLE), texts)
  if (message.extra) collectTexts(message.extra, texts)
  return texts
}

/** Adds every string and number inside a JSON value to `texts`, with the names of its fields. */
export function collectTexts(value: JsonValue, texts: string[]): void {
  walk(value, (one, at) => {
    if (one === undefined) return
    const key = at.at(-1)
    if (typeof key === 'string') texts.push(key)
    if (isRawNumber(one)) texts.push(one.rawJSON)
    else if (!isContainer(one)) texts.push(String(one))
  })
}

/** What a reader would see of a part. */
const READABLE: PartVisitor<JsonValue> = {
  text: ({ text }) => text,
  reasoning: ({ text }) => text,
  tool_call: ({ name, arguments: given }) => [name, given],
  tool_call_response: ({ result }) => result,
  blob: ({ hash }) => hash,
  uri: ({ uri }) => uri,
  other: ({ value }) => value,
}
