import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part, Prompt, Tool } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import type { PartReader } from '../content.ts'
import { arrayOf, filledIn, flatten, jsonObject } from '../fields.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { pathOf, readEnvelope } from '../kit/envelope.ts'
import { messageOf, unknownMessage, unknownTool } from '../kit/messages.ts'
import { Taken, takenCall, takenResult, takePart, takeTool } from '../kit/taken.ts'

/** The model and the method in a path of Google's: `/models/gemini-2.5-pro:countTokens`. */
const TARGET = /\/(?:models|tunedModels|endpoints)\/([^/]+):(\w+)$/

/** The model and the method that stand in the path of a request. */
export function geminiTarget(request: WireRequest): { model?: string; method?: string } {
  if (request.method !== 'POST') return {}
  const path = pathOf(request)
  const [, model, method] = TARGET.exec(path.replaceAll('%3A', ':')) ?? []
  return { model, method }
}

/** Reads a prompt by taking the fields of its body; generation parameters stand under their own names. */
export function readGeminiPrompt(
  request: WireRequest,
  operation: string,
  fields: JsonObject,
  read: (body: Taken) => Partial<Prompt>,
): Prompt {
  const { provider } = readEnvelope(request, operation)
  const { model, method } = geminiTarget(request)
  const config = Object.keys(fields).find((name) => camelCase(name) === 'generationConfig')
  const body = new Taken(fields)
  const said = read(body)
  const streams: JsonObject = method?.startsWith('stream') ? { stream: true } : {}
  const parameters = { ...streams, ...flatten(body.left, config) }
  const named = model === undefined ? {} : { model }
  return { provider, operation, ...named, parameters, messages: [], tools: [], ...said }
}

/** Reads the messages and the tools of a request. Some clients send a single item without a list. */
export function readGeminiTalk(body: Taken): Pick<Prompt, 'messages' | 'tools'> {
  const at = (name: string): JsonValue[] => [body.filled(name) ?? []].flat()
  const system = [...at('systemInstruction'), ...at('system_instruction')]
  return {
    messages: [
      ...system.map((content) => readGeminiContent(content, 'system')),
      ...at('contents').map((content) => readGeminiContent(content)),
    ],
    tools: at('tools').flatMap(readTools),
  }
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
  const tool = new Taken(value)
  return takeTool(tool, tool.text('name'), schema)
}

/** Reads a part as Gemini sends and answers it, in the spelling of JavaScript or of Python. */
export const readGeminiPart: PartReader = takePart((part) => {
  const text = part.text('text')
  if (text !== undefined) return { type: part.is('thought', true) ? 'reasoning' : 'text', text }
  const field = part.names.find((name) => Object.hasOwn(READERS, camelCase(name)))
  if (field === undefined || !part.holds(field)) return undefined
  return READERS[camelCase(field)]!(part.inner(field))
})

/** Reads a content: the parts of one side. Without a role, it is the user's. */
export function readGeminiContent(value: JsonValue, role?: string): Message {
  if (typeof value === 'string') return messageOf(role ?? 'user', value)
  if (!isJsonObject(value)) return unknownMessage(value, role)
  const content = new Taken(value)
  // If the caller gives the role, the sent role stays in the rest.
  const said = role ?? content.text('role') ?? 'user'
  return { role: said, parts: content.parts('parts', readGeminiPart), ...content.extra }
}

/** Turns snake case into camel case: `inline_data` is `inlineData`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

type Reader = (value: Taken) => Part | undefined

const READERS: Record<string, Reader> = {
  inlineData(value) {
    const data = value.text('data')
    return data === undefined ? undefined : blobOf(data, value.text('mimeType', 'mime_type'))
  },

  fileData(value) {
    const uri = value.text('fileUri', 'file_uri')
    return uri === undefined ? undefined : contentAt(uri)
  },

  functionCall: (value) => readCall(value, 'name'),
  functionResponse: (value) => readResponse(value, 'response'),

  // Code and other tools that run on Gemini's side.
  executableCode(value) {
    const code = jsonObject({ language: value.any('language'), code: value.any('code') })
    return takenCall(value.text('id'), 'code_execution', code)
  },

  codeExecutionResult: (value) => readResponse(value, 'output'),
  toolCall: (value) => readCall(value, 'toolType', 'tool_type'),
  toolResponse: (value) => readResponse(value, 'response'),
}

function readCall(value: Taken, ...names: string[]): Part | undefined {
  return takenCall(value.text('id'), value.text(...names), value.any('args') ?? {})
}

function readResponse(value: Taken, field: string): Part {
  return takenResult(value.text('id'), value.any(field) ?? null)
}
