import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import type { ToolCall } from '../../prompt/completion.ts'
import type { Message, Part, Tool } from '../../prompt/prompt.ts'
import { isPlainText, readContent, readResult } from '../content.ts'
import {
  arrayOf,
  defined,
  type Field,
  filledIn,
  listsIn,
  objectOf,
  stringOf,
  stringsIn,
} from '../fields.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { unknownMessage, unknownTool } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'

/** Reads a message of chat completions, and of formats that copied them. */
export function readOpenAiMessage(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const rest = new Remainder()
  const role = stringOf(value.role) ?? 'unknown'
  const read = [...filledIn(value, 'content'), ...stringsIn(value, 'role')]
  const parts =
    role === 'tool' || role === 'function'
      ? [readCallResult(value, read)]
      : [
          ...readThoughts(value, read),
          ...readContent(value.content, 'content', rest, readOpenAiPart),
          ...readCalls(value, read, rest),
        ]
  rest.keep('', value, read)
  return { role, parts, ...rest.extra }
}

/** Reads a tool call that stands at `path`, or `undefined` where there is none. */
export function readOpenAiCall(value: Field, path: string, rest: Remainder): ToolCall | undefined {
  const call = objectOf(value)
  const field = isJsonObject(call.custom) ? 'custom' : 'function'
  const called = objectOf(call[field])
  const input = field === 'custom' ? 'input' : 'arguments'
  const name = stringOf(called.name)
  if (name === undefined) return undefined
  const type = call.type === 'function' ? ['type'] : []
  rest.keep(path, call, [field, ...type, ...stringsIn(call, 'id')])
  rest.keep(`${path}.${field}`, called, ['name', input])
  return defined({ id: stringOf(call.id), name, arguments: argumentsOf(called[input]) })
}

/** Reads the calls of a message as its parts. */
export function readOpenAiCalls(calls: Field, rest: Remainder): Part[] {
  return arrayOf(calls).map((value, index) => {
    const call = readOpenAiCall(value, `tool_calls[${index}]`, rest)
    return call ? { type: 'tool_call', ...call } : { type: 'other', value }
  })
}

/** The arguments of a call: the value of their JSON text, or the text when it is no JSON. */
export function argumentsOf(value: Field): JsonValue {
  if (typeof value !== 'string') return value ?? {}
  return tryParseJson(value) ?? value
}

function readCallResult(message: JsonObject, read: string[]): Part {
  read.push(...stringsIn(message, 'tool_call_id'))
  const result = readResult(message.content, readOpenAiPart)
  return defined({ type: 'tool_call_response', id: stringOf(message.tool_call_id), result })
}

function readThoughts(message: JsonObject, read: string[]): Part[] {
  const fields = stringsIn(message, 'reasoning_content', 'reasoning')
  read.push(...fields)
  return fields.map((field) => ({ type: 'reasoning', text: message[field] as string }))
}

function readCalls(message: JsonObject, read: string[], rest: Remainder): Part[] {
  read.push(...listsIn(message, 'tool_calls'))
  const parts = readOpenAiCalls(message.tool_calls, rest)
  // The older form of a call: one for each message, without a list.
  const only = { type: 'function', function: message.function_call ?? null }
  const call = readOpenAiCall(only, 'function_call', rest)
  if (!call) return parts
  read.push('function_call')
  return [...parts, { type: 'tool_call', ...call }]
}

/** Reads a part of a message as chat completions and responses send it. */
export function readOpenAiPart(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return readField(part, 'text', path, rest, (text) => ({ type: 'text', text }))
    case 'summary_text':
    case 'reasoning_text':
      return readField(part, 'text', path, rest, (text) => ({ type: 'reasoning', text }))
    case 'refusal':
      return readField(part, 'refusal', path, rest, (text) => {
        // Its type tells it from other text, so it stays among the rest.
        rest.keep(path, { type: 'refusal' }, [])
        return { type: 'text', text }
      })
    case 'thinking':
      return readThinking(part, path, rest)
    case 'input_image':
    case 'computer_screenshot':
      return readField(part, 'image_url', path, rest, contentAt)
    case 'input_file':
      if (typeof part.file_data !== 'string')
        return readField(part, 'file_url', path, rest, contentAt)
      return readField(part, 'file_data', path, rest, fileOf)
    case 'file':
      return readNested(part, 'file', ['file_data'], path, rest, fileOf)
    case 'output_audio':
    case 'audio':
      return readField(part, 'transcript', path, rest, (text) => {
        rest.keep(path, { type: part.type! }, [])
        return { type: 'text', text }
      })
    case 'input_audio': {
      if (typeof part.audio === 'string')
        return readField(part, 'audio', path, rest, (data) => blobOf(data))
      const format = stringOf(objectOf(part.input_audio).format)
      return format === undefined
        ? readNested(part, 'input_audio', ['data'], path, rest, (data) => blobOf(data))
        : readNested(part, 'input_audio', ['data', 'format'], path, rest, (data) =>
            blobOf(data, `audio/${format}`),
          )
    }
    default:
      return readLink(part, path, rest)
  }
}

function readField(
  part: JsonObject,
  field: string,
  path: string,
  rest: Remainder,
  read: (text: string) => Part,
): Part | undefined {
  const text = stringOf(part[field])
  if (text === undefined) return undefined
  rest.keep(path, part, ['type', field])
  return read(text)
}

/** Like {@link readField}, for a text one level down: `{ type: 'file', file: { file_data } }`. */
function readNested(
  part: JsonObject,
  field: string,
  names: [name: string, ...also: string[]],
  path: string,
  rest: Remainder,
  read: (text: string) => Part,
): Part | undefined {
  const nested = objectOf(part[field])
  const text = stringOf(nested[names[0]])
  if (text === undefined) return undefined
  rest.keep(path, part, ['type', field])
  rest.keep(`${path}.${field}`, nested, names)
  return read(text)
}

/** `image_url`, `video_url`, `document_url` and their like, as a text or as `{ url }`. */
function readLink(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const type = stringOf(part.type)
  if (!type?.endsWith('_url')) return undefined
  return typeof part[type] === 'string'
    ? readField(part, type, path, rest, contentAt)
    : readNested(part, type, ['url'], path, rest, contentAt)
}

function readThinking(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const { thinking } = part
  const thoughts: JsonValue[] =
    typeof thinking === 'string' ? [{ type: 'text', text: thinking }] : arrayOf(thinking)
  if (thoughts.length === 0 || !thoughts.every(isPlainText)) return undefined
  rest.keep(path, part, ['type', 'thinking'])
  return { type: 'reasoning', text: thoughts.map(({ text }) => text).join('') }
}

function fileOf(data: string): Part {
  return data.startsWith('data:') ? contentAt(data) : blobOf(data)
}

/**
 * Reads the definition of a tool, whether it stands under `function` as in chat completions or flat as
 * in responses; a tool that the provider runs itself is named by its type.
 */
export function readOpenAiTool(value: Field): Tool {
  if (!isJsonObject(value)) return unknownTool(value ?? null)
  const rest = new Remainder()
  const field = value.type === 'custom' ? 'custom' : 'function'
  const nested = value[field]
  if (!isJsonObject(nested)) return readDefinition(value, value.type, rest)
  rest.keep('', value, [field, ...(value.type === 'function' ? ['type'] : [])])
  return readDefinition(nested, undefined, rest)
}

function readDefinition(tool: JsonObject, type: Field, rest: Remainder): Tool {
  const name = stringOf(tool.name) ?? stringOf(type) ?? ''
  const read = stringsIn(tool, 'name', 'description')
  if (tool.parameters !== undefined) read.push('parameters')
  // A type is read if it is the default one, `function`, or gave the name.
  if (type === 'function' || type === name) read.push('type')
  rest.keep('', tool, read)
  const { parameters } = tool
  return defined({ name, description: stringOf(tool.description), parameters, ...rest.extra })
}
