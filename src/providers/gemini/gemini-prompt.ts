import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Tool } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { pathOf, readEnvelope, type Envelope } from '../kit/envelope.ts'
import {
  arrayOf,
  defined,
  filledIn,
  stringOf,
  stringsIn,
  without,
  flatten,
  type Field,
} from '../fields.ts'
import { unknownTool } from '../kit/messages.ts'
import { camelCase, readGeminiContent } from './gemini-parts.ts'
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
