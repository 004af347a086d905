import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { readContent, readResult } from '../content.ts'
import { defined, filledIn, stringOf, stringsIn } from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'

/** The types of content that hold something other than text, inline or behind a link. */
const MEDIA = new Set(['image', 'audio', 'video', 'document'])

/** Reads a step of an interaction: a message, a thought, a call or its result. */
export function readInteractionStep(value: JsonValue): Message {
  if (!isJsonObject(value)) return messageOf('user', value)
  const type = stringOf(value.type) ?? ''
  if (type === 'user_input' || type === 'model_output') return readSaid(value, type)
  if (type === 'thought') return readThought(value)
  if (type.endsWith('_call')) return readCall(value, type.slice(0, -'_call'.length))
  if (type.endsWith('_result')) return readCallResult(value, type)
  // Any other value is the content of a step, or a turn of the first version of the API.
  if (typeof value.role === 'string') return readTurn(value, value.role)
  const rest = new Remainder()
  const part = readInteractionPart(value, 'content', rest)
  return { role: 'user', parts: [part ?? { type: 'other', value }], ...rest.extra }
}

/** Reads a piece of content. */
function readInteractionPart(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const type = stringOf(part.type) ?? ''
  if (type === 'text' && typeof part.text === 'string') {
    rest.keep(path, part, ['type', 'text'])
    return { type: 'text', text: part.text }
  }
  const [field] = MEDIA.has(type) ? stringsIn(part, 'data', 'uri') : []
  if (field === undefined) return undefined
  const content = part[field] as string
  const inline = field === 'data'
  // The part of a link has no media type, so the type stays in the rest.
  rest.keep(path, part, inline ? [field, ...stringsIn(part, 'mime_type')] : [field])
  return inline ? blobOf(content, stringOf(part.mime_type)) : contentAt(content)
}

function readSaid(step: JsonObject, type: string): Message {
  const rest = new Remainder()
  const parts = readContent(step.content, 'content', rest, readInteractionPart)
  rest.keep('', step, ['type', ...filledIn(step, 'content')])
  return { role: type === 'user_input' ? 'user' : 'assistant', parts, ...rest.extra }
}

function readTurn(turn: JsonObject, role: string): Message {
  const rest = new Remainder()
  const parts = readContent(turn.content, 'content', rest, readInteractionPart)
  rest.keep('', turn, ['role', ...filledIn(turn, 'content')])
  return { role, parts, ...rest.extra }
}

function readThought(step: JsonObject): Message {
  const rest = new Remainder()
  const parts = readContent(step.summary, 'summary', rest, readInteractionPart).map((part): Part =>
    part.type === 'text' ? { ...part, type: 'reasoning' } : part,
  )
  rest.keep('', step, ['type', ...filledIn(step, 'summary')])
  return { role: 'assistant', parts, ...rest.extra }
}

/** A call of a function of the application, or of a tool that Google runs. */
function readCall(step: JsonObject, kind: string): Message {
  const rest = new Remainder()
  rest.keep('', step, ['type', 'arguments', ...stringsIn(step, 'id', 'name')])
  // The type names the tool. If the tool has a name of its own, the type tells whose tool it is, and stays in the
  // rest.
  if (kind !== 'function' && typeof step.name === 'string') rest.keep('', { type: step.type! }, [])
  const part: Part = defined({
    type: 'tool_call' as const,
    id: stringOf(step.id),
    name: stringOf(step.name) ?? kind,
    arguments: step.arguments ?? {},
  })
  return { role: 'assistant', parts: [part], ...rest.extra }
}

function readCallResult(step: JsonObject, type: string): Message {
  const rest = new Remainder()
  const ordinary = type === 'function_result' ? ['type'] : []
  rest.keep('', step, [...ordinary, 'result', ...stringsIn(step, 'call_id')])
  const result = readResult(step.result, readInteractionPart)
  const id = stringOf(step.call_id)
  return {
    role: 'tool',
    parts: [defined({ type: 'tool_call_response' as const, id, result })],
    ...rest.extra,
  }
}
