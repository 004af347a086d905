import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part, Tool } from '../../prompt/prompt.ts'
import type { PartReader } from '../content.ts'
import type { Field } from '../fields.ts'
import { Taken } from './taken.ts'

/** A message of one part. */
export function messageOf(role: string, value: JsonValue): Message {
  return { role, parts: [partOf(value)] }
}

/** The message that a text in a field is; none where there is no text. */
export function takenMessage(body: Taken, field: string, role: string): Message[] {
  const text = body.text(field)
  return text === undefined ? [] : [messageOf(role, text)]
}

/** A text as a text, and any other value as it was sent. */
export function partOf(value: JsonValue): Part {
  return typeof value === 'string' ? { type: 'text', text: value } : { type: 'other', value }
}

/** Whether a value has a role, as the messages of most formats do. */
export function hasRole(value: Field): value is JsonObject {
  return isJsonObject(value) && typeof value.role === 'string'
}

/** Reads a message with a role and a content, as most formats have them. */
export function readMessage(value: JsonValue, readPart: PartReader): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const message = new Taken(value)
  const role = message.text('role') ?? 'unknown'
  return { role, parts: message.parts('content', readPart), ...message.extra }
}

/** A value in the place of a message, as it was sent. */
export function unknownMessage(value: JsonValue, role: string = 'unknown'): Message {
  return { role, parts: [{ type: 'other', value }] }
}

/** A value in the place of a tool, as it was sent. */
export function unknownTool(value: JsonValue): Tool {
  return { name: '', extra: { tool: value } }
}
