import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import type { ToolCall } from '../../prompt/completion.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import { readContent, readResult } from '../content.ts'
import {
  arrayOf,
  defined,
  filledIn,
  listsIn,
  objectOf,
  stringOf,
  stringsIn,
  type Field,
} from '../fields.ts'
import { unknownMessage } from '../kit/messages.ts'
import { readOpenAiPart } from './openai-parts.ts'
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
