import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import type { Message, Part, Tool } from '../../prompt/prompt.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { defined, stringOf, stringsIn } from '../fields.ts'
import { readMessage, unknownTool } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'

/** Reads a message as the AI SDK passes it to a model, and sends it to its gateway. */
export function readVercelMessage(value: JsonValue): Message {
  return readMessage(value, readVercelPart)
}

/** Reads a part of a message or of an answer. */
export function readVercelPart(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      if (typeof part.text !== 'string') return undefined
      rest.keep(path, part, ['type', 'text'])
      return { type: part.type, text: part.text }
    case 'file':
      return readFile(part, path, rest)
    case 'tool-call':
      return readCall(part, path, rest)
    case 'tool-result':
      return readCallResult(part, path, rest)
    default:
      return undefined
  }
}

/** Reads the definition of a tool: a function, or a tool of a provider. */
export function readVercelTool(value: JsonValue): Tool {
  if (!isJsonObject(value)) return unknownTool(value)
  const rest = new Remainder()
  const schema = value.inputSchema === undefined ? [] : ['inputSchema']
  const ordinary = value.type === 'function' ? ['type'] : []
  rest.keep('', value, [...ordinary, ...schema, ...stringsIn(value, 'name', 'description')])
  return defined({
    name: stringOf(value.name) ?? '',
    description: stringOf(value.description),
    parameters: value.inputSchema,
    ...rest.extra,
  })
}

function readFile(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const nested = isJsonObject(part.data) ? part.data : undefined
  const [field = ''] = nested ? stringsIn(nested, 'data', 'url') : stringsIn(part, 'data')
  const content = stringOf((nested ?? part)[field])
  if (content === undefined) return undefined
  const isLink = field === 'url' || /^\w+:/.test(content)
  rest.keep(path, part, ['type', 'data', ...(isLink ? [] : stringsIn(part, 'mediaType'))])
  if (nested) rest.keep(`${path}.data`, nested, nested.type === field ? ['type', field] : [field])
  return isLink ? contentAt(content) : blobOf(content, stringOf(part.mediaType))
}

/** In an answer the input of a call is JSON text, in a prompt it is the value. */
function readCall(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const { toolName: name, input = null } = part
  if (typeof name !== 'string') return undefined
  rest.keep(path, part, ['type', 'toolName', 'input', ...stringsIn(part, 'toolCallId')])
  const text = stringOf(input)
  return defined({
    type: 'tool_call' as const,
    id: stringOf(part.toolCallId),
    name,
    arguments: text === undefined ? input : (tryParseJson(text) ?? text),
  })
}

function readCallResult(part: JsonObject, path: string, rest: Remainder): Part {
  rest.keep(path, part, ['type', 'output', ...stringsIn(part, 'toolCallId')])
  return defined({
    type: 'tool_call_response' as const,
    id: stringOf(part.toolCallId),
    result: readOutput(part.output ?? null),
  })
}

/** Unwraps a text or a value; an error or a content keeps its type. */
function readOutput(output: JsonValue): JsonValue {
  if (!isJsonObject(output) || Object.keys(output).length > 2) return output
  const { type, value } = output
  const isText = type === 'text' && typeof value === 'string'
  const isValue = type === 'json' && typeof value !== 'string' && value !== undefined
  return isText || isValue ? value! : output
}
