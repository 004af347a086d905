import { isJsonObject, type JsonValue, tryParseJson } from '../../json/json-value.ts'
import type { ToolCall } from '../../prompt/completion.ts'
import type { Message, Part, Tool } from '../../prompt/prompt.ts'
import { isPlainText, type PartReader, readResult } from '../content.ts'
import { arrayOf, defined, type Field, stringOf } from '../fields.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { unknownMessage, unknownTool } from '../kit/messages.ts'
import type { Remainder } from '../kit/remainder.ts'
import { Taken, takenResult, takePart, takeText } from '../kit/taken.ts'

/** Reads a message of chat completions, and of formats that copied them. */
export function readOpenAiMessage(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const message = new Taken(value)
  const role = message.text('role') ?? 'unknown'
  if (role === 'tool' || role === 'function') {
    const result = readResult(message.filled('content'), readOpenAiPart)
    return { role, parts: [takenResult(message.text('tool_call_id'), result)], ...message.extra }
  }
  const parts = [
    ...readThoughts(message),
    ...message.parts('content', readOpenAiPart),
    ...readOpenAiCalls(message.list('tool_calls'), message.rest),
    ...readOlderCall(value.function_call, message),
  ]
  return { role, parts, ...message.extra }
}

/** Reads a tool call that stands at `path`, or `undefined` where there is none. */
export function readOpenAiCall(value: Field, path: string, rest: Remainder): ToolCall | undefined {
  const call = new Taken(value)
  const field = call.holds('custom') ? 'custom' : 'function'
  const called = call.inner(field)
  const name = called.text('name')
  if (name === undefined) return undefined
  call.is('type', 'function')
  const id = call.text('id')
  const input = argumentsOf(called.any(field === 'custom' ? 'input' : 'arguments'))
  call.keep(path, rest)
  return defined({ id, name, arguments: input })
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

function readThoughts(message: Taken): Part[] {
  return ['reasoning_content', 'reasoning'].flatMap((field): Part[] => {
    const text = message.text(field)
    return text === undefined ? [] : [{ type: 'reasoning', text }]
  })
}

/** The older form of a call: one for each message, without a list. */
function readOlderCall(value: Field, message: Taken): Part[] {
  const only = { type: 'function', function: value ?? null }
  const call = readOpenAiCall(only, 'function_call', message.rest)
  if (!call) return []
  message.any('function_call')
  return [{ type: 'tool_call', ...call }]
}

/** Reads a part of a message as chat completions and responses send it. */
export const readOpenAiPart: PartReader = takePart((part) => {
  const { type } = part
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return takeText(part, 'text', 'text')
    case 'summary_text':
    case 'reasoning_text':
      return takeText(part, 'reasoning', 'text')
    case 'refusal':
      return readTyped(part, 'refusal')
    case 'thinking':
      return readThinking(part)
    case 'input_image':
    case 'computer_screenshot':
      return readFile(part, 'image_url', contentAt)
    case 'input_file':
      return readFile(part, 'file_data', fileOf) ?? readFile(part, 'file_url', contentAt)
    case 'file':
      return readInnerFile(part, 'file', 'file_data', fileOf)
    case 'output_audio':
    case 'audio':
      return readTyped(part, 'transcript')
    case 'input_audio':
      return readFile(part, 'audio', (data) => blobOf(data)) ?? readAudio(part)
    default:
      // `image_url`, `video_url`, `document_url` and their like, as a text or as `{ url }`.
      if (!type.endsWith('_url')) return undefined
      return readFile(part, type, contentAt) ?? readInnerFile(part, type, 'url', contentAt)
  }
})

/** A text whose type tells it from other text, and stays among the rest. */
function readTyped(part: Taken, field: string): Part | undefined {
  const text = part.text(field)
  return text === undefined ? undefined : { type: 'text', text }
}

function readFile(part: Taken, field: string, read: (text: string) => Part): Part | undefined {
  const text = part.text(field)
  if (text === undefined) return undefined
  part.any('type')
  return read(text)
}

/** Like {@link readFile}, one level down: `{ type: 'file', file: { file_data } }`. */
function readInnerFile(
  part: Taken,
  field: string,
  name: string,
  read: (text: string) => Part,
): Part | undefined {
  part.any('type')
  const text = part.inner(field).text(name)
  return text === undefined ? undefined : read(text)
}

function readAudio(part: Taken): Part | undefined {
  part.any('type')
  const audio = part.inner('input_audio')
  const [data, format] = [audio.text('data'), audio.text('format')]
  return data === undefined
    ? undefined
    : blobOf(data, format === undefined ? undefined : `audio/${format}`)
}

function readThinking(part: Taken): Part | undefined {
  const thinking = part.any('thinking')
  const thoughts: JsonValue[] =
    typeof thinking === 'string' ? [{ type: 'text', text: thinking }] : arrayOf(thinking)
  if (thoughts.length === 0 || !thoughts.every(isPlainText)) return undefined
  part.any('type')
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
  const tool = new Taken(value)
  const field = value.type === 'custom' ? 'custom' : 'function'
  const isFlat = !tool.holds(field)
  const definition = isFlat ? tool : new Taken(tool.any(field))
  const name = definition.text('name') ?? (isFlat ? stringOf(value.type) : undefined)
  // A type is read if it is the default one, `function`, or gave the name.
  if (value.type === 'function' || (isFlat && value.type === name)) tool.any('type')
  const description = definition.text('description')
  const parameters = definition.any('parameters')
  tool.keep('', tool.rest)
  if (!isFlat) definition.keep('', tool.rest)
  return defined({ name: name ?? '', description, parameters, ...tool.rest.extra })
}
