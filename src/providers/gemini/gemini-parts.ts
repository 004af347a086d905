import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { readContent } from '../content.ts'
import { defined, filledIn, jsonObject, stringOf, stringsIn } from '../fields.ts'
import { messageOf, unknownMessage } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'

/** Reads a part as Gemini sends and answers it, in the spelling of JavaScript or of Python. */
export function readGeminiPart(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  if (typeof part.text === 'string') {
    const thought = part.thought === true
    rest.keep(path, part, thought ? ['text', 'thought'] : ['text'])
    return { type: thought ? 'reasoning' : 'text', text: part.text }
  }
  const field = Object.keys(part).find((name) => READERS.has(camelCase(name)))
  const value = field === undefined ? undefined : part[field]
  if (field === undefined || !isJsonObject(value)) return undefined
  const inner = new Remainder()
  const read = READERS.get(camelCase(field))!(value, inner)
  if (!read) return undefined
  rest.keep(path, part, [field])
  if (inner.extra.extra) rest.keep(`${path}.${field}`, inner.extra.extra, [])
  return read
}

/** Reads a content: the parts of one side. Without a role, it is the user's. */
export function readGeminiContent(value: JsonValue, role?: string): Message {
  if (typeof value === 'string') return messageOf(role ?? 'user', value)
  if (!isJsonObject(value)) return unknownMessage(value, role)
  const rest = new Remainder()
  const parts = readContent(value.parts, 'parts', rest, readGeminiPart)
  // If the caller gives the role, the sent role stays in the rest.
  const roles = role === undefined ? stringsIn(value, 'role') : []
  rest.keep('', value, [...filledIn(value, 'parts'), ...roles])
  return { role: role ?? stringOf(value.role) ?? 'user', parts, ...rest.extra }
}

/** Turns snake case into camel case: `inline_data` is `inlineData`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

type Reader = (value: JsonObject, rest: Remainder) => Part | undefined

const READERS = new Map<string, Reader>([
  ['inlineData', readInlineData],
  ['fileData', readFileData],
  ['functionCall', (value, rest) => readCall(value, stringOf(value.name), ['name', 'args'], rest)],
  ['functionResponse', (value, rest) => readResponse(value, 'response', rest)],
  // Code and other tools that run on Gemini's side.
  ['executableCode', readCode],
  ['codeExecutionResult', (value, rest) => readResponse(value, 'output', rest)],
  ['toolCall', readToolCall],
  ['toolResponse', (value, rest) => readResponse(value, 'response', rest)],
])

function readInlineData(value: JsonObject, rest: Remainder): Part | undefined {
  if (typeof value.data !== 'string') return undefined
  const [type = ''] = stringsIn(value, 'mimeType', 'mime_type')
  rest.keep('', value, ['data', type])
  return blobOf(value.data, stringOf(value[type]))
}

function readFileData(value: JsonObject, rest: Remainder): Part | undefined {
  const [field] = stringsIn(value, 'fileUri', 'file_uri')
  if (field === undefined) return undefined
  rest.keep('', value, [field])
  return contentAt(value[field] as string)
}

function readCode(value: JsonObject, rest: Remainder): Part {
  const { language, code } = value
  rest.keep('', value, ['language', 'code', ...stringsIn(value, 'id')])
  return defined({
    type: 'tool_call' as const,
    id: stringOf(value.id),
    name: 'code_execution',
    arguments: jsonObject({ language, code }),
  })
}

function readToolCall(value: JsonObject, rest: Remainder): Part | undefined {
  const [type = ''] = stringsIn(value, 'toolType', 'tool_type')
  return readCall(value, stringOf(value[type]), [type, 'args'], rest)
}

function readCall(
  value: JsonObject,
  name: string | undefined,
  read: string[],
  rest: Remainder,
): Part | undefined {
  if (name === undefined) return undefined
  rest.keep('', value, [...read, ...stringsIn(value, 'id')])
  const args = value.args ?? {}
  return defined({ type: 'tool_call' as const, id: stringOf(value.id), name, arguments: args })
}

function readResponse(value: JsonObject, field: string, rest: Remainder): Part {
  rest.keep('', value, [field, ...stringsIn(value, 'id')])
  return defined({
    type: 'tool_call_response',
    id: stringOf(value.id),
    result: value[field] ?? null,
  })
}
