import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part, Tool } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { readContent } from '../content.ts'
import {
  arrayOf,
  defined,
  type Field,
  filledIn,
  flatten,
  jsonObject,
  stringOf,
  stringsIn,
  without,
} from '../fields.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { type Envelope, pathOf, readEnvelope } from '../kit/envelope.ts'
import { messageOf, unknownMessage, unknownTool } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'

/** The model and the method in a path of Google's: `/models/gemini-2.5-pro:countTokens`. */
const TARGET = /\/(?:models|tunedModels|endpoints)\/([^/]+):(\w+)$/

/** The model and the method that stand in the path of a request. */
export function geminiTarget(request: WireRequest): { model?: string; method?: string } {
  if (request.method !== 'POST') return {}
  const path = pathOf(request)
  const [, model, method] = TARGET.exec(path.replaceAll('%3A', ':')) ?? []
  return { model, method }
}

/** Reads provider, model and parameters; generation parameters stand under their own names. */
export function readGeminiEnvelope(
  request: WireRequest,
  operation: string,
  body: JsonObject,
  read: readonly string[],
): Envelope {
  const { provider } = readEnvelope(request, operation, [])
  const { model, method } = geminiTarget(request)
  const config = Object.keys(body).find((name) => camelCase(name) === 'generationConfig')
  return {
    provider,
    operation,
    ...(model === undefined ? {} : { model }),
    parameters: {
      ...(method?.startsWith('stream') ? { stream: true } : {}),
      ...flatten(without(body, read), config),
    },
  }
}

/** Reads the messages and the tools of a request. */
export function readGeminiTalk(body: JsonObject): {
  messages: Message[]
  tools: Tool[]
  read: string[]
} {
  const read = filledIn(body, 'contents', 'systemInstruction', 'system_instruction', 'tools')
  const at = (name: string): JsonValue[] => (read.includes(name) ? listOf(body[name]) : [])
  const system = [...at('systemInstruction'), ...at('system_instruction')]
  return {
    messages: [
      ...system.map((content) => readGeminiContent(content, 'system')),
      ...at('contents').map((content) => readGeminiContent(content)),
    ],
    tools: at('tools').flatMap(readTools),
    read,
  }
}

/** Some clients send a single item without a list. */
function listOf(value: Field): JsonValue[] {
  return Array.isArray(value) ? value : [value ?? null]
}

/** One entry holds several functions, or a tool that Google runs: `{ googleSearch: {} }`. */
function readTools(value: JsonValue): Tool[] {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [unknownTool(value)]
  return Object.entries(value).flatMap(([field, tool]) => {
    const isList = camelCase(field) === 'functionDeclarations' && arrayOf(tool).length > 0
    if (isList) return arrayOf(tool).map(readFunction)
    const extra = isJsonObject(tool) ? tool : { [field]: tool }
    return [{ name: field, ...(Object.keys(extra).length > 0 ? { extra } : {}) }]
  })
}

function readFunction(value: JsonValue): Tool {
  if (!isJsonObject(value)) return unknownTool(value)
  const [schema = ''] = filledIn(
    value,
    'parameters',
    'parametersJsonSchema',
    'parameters_json_schema',
  )
  const rest = new Remainder()
  rest.keep('', value, [...stringsIn(value, 'name', 'description'), schema])
  return defined({
    name: stringOf(value.name) ?? '',
    description: stringOf(value.description),
    parameters: value[schema],
    ...rest.extra,
  })
}

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
