import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import { readContent, readResult } from '../content.ts'
import { arrayOf, defined, filledIn, listsIn, stringOf, stringsIn } from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { argumentsOf } from './openai-messages.ts'
import { readOpenAiPart } from './openai-parts.ts'
import { Remainder } from '../kit/remainder.ts'

/** The fields with the input of a call, one for each kind of call. */
const CALL_INPUTS = ['arguments', 'input', 'action', 'queries', 'code', 'operation']

/** The fields with the output of a tool. */
const CALL_OUTPUTS = ['output', 'tools']

/** Reads the instructions and the input of a response, from the fields that `read` names. */
export function readResponseInput(body: JsonObject): { messages: Message[]; read: string[] } {
  const { instructions, input } = body
  return {
    messages: [
      ...(typeof instructions === 'string' ? [messageOf('system', instructions)] : []),
      ...(typeof input === 'string'
        ? [messageOf('user', input)]
        : arrayOf(input).map(readResponseItem)),
    ],
    read: [...stringsIn(body, 'instructions', 'input'), ...listsIn(body, 'input')],
  }
}

/** Reads an item of the input or the output of a response. */
export function readResponseItem(value: JsonValue): Message {
  if (!isJsonObject(value)) return messageOf('user', value)
  const type = stringOf(value.type)
  if (type === undefined || type === 'message') return readMessageItem(value)
  if (type === 'reasoning') return readReasoning(value)
  if (type.endsWith('_call_output') || type === 'tool_search_output') return readOutput(value, type)
  if (type.endsWith('_call')) return readCall(value, type)
  return { role: stringOf(value.role) ?? 'assistant', parts: [{ type: 'other', value }] }
}

function readMessageItem(item: JsonObject): Message {
  const rest = new Remainder()
  const parts = readContent(item.content, 'content', rest, readOpenAiPart)
  const type = item.type === 'message' ? ['type'] : []
  rest.keep('', item, [...filledIn(item, 'content'), ...type, ...stringsIn(item, 'role')])
  return { role: stringOf(item.role) ?? 'unknown', parts, ...rest.extra }
}

function readReasoning(item: JsonObject): Message {
  const rest = new Remainder()
  const parts = [
    ...readContent(item.summary, 'summary', rest, readOpenAiPart),
    ...readContent(item.content, 'content', rest, readOpenAiPart),
  ]
  rest.keep('', item, ['type', ...filledIn(item, 'summary', 'content')])
  return { role: 'assistant', parts, ...rest.extra }
}

/** A call of a function, or of a tool that is known by the type of the item, as `web_search_call`. */
function readCall(item: JsonObject, type: string): Message {
  const rest = new Remainder()
  const name = stringOf(item.name) ?? type.slice(0, -'_call'.length)
  const input = CALL_INPUTS.find((field) => item[field] !== undefined)
  const id = stringOf(item.call_id)
  const known = input === undefined ? [] : [input]
  // The type stays in the rest, unless the call is an ordinary one or the type gave the name.
  if (type === 'function_call' || item.name === undefined) known.push('type')
  rest.keep('', item, [...known, ...stringsIn(item, 'name', 'call_id')])
  const value = input === 'arguments' ? argumentsOf(item.arguments) : ((input && item[input]) ?? {})
  const part: Part = defined({ type: 'tool_call', id, name, arguments: value })
  return { role: 'assistant', parts: [part], ...rest.extra }
}

function readOutput(item: JsonObject, type: string): Message {
  const rest = new Remainder()
  const output = CALL_OUTPUTS.find((field) => item[field] !== undefined)
  const known = output === undefined ? [] : [output]
  if (type === 'function_call_output') known.push('type')
  rest.keep('', item, [...known, ...stringsIn(item, 'call_id')])
  const result = readResult(output && item[output], readOpenAiPart)
  const part: Part = defined({ type: 'tool_call_response', id: stringOf(item.call_id), result })
  return { role: 'tool', parts: [part], ...rest.extra }
}
