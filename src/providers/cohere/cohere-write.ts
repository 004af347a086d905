import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { writeCohereUsage } from './cohere-usage.ts'
import { bodyOf } from '../kit/envelope.ts'
import { jsonObject } from '../fields.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { argumentsText, withCallIds } from '../kit/written-call.ts'

const ID = '00000000-0000-0000-0000-000000000000'

/** Writes an answer of Cohere's chat. */
export function writeCohereAnswer(said: Completion, request: WireRequest): WireResponse {
  const completion = withCallIds(said, request)
  const streams = bodyOf(request).stream === true
  const written = streams ? { events: eventsOf(completion) } : { whole: wholeOf(completion) }
  return writeAnswer(completion, written, (message) => ({ message }))
}

function wholeOf(completion: Completion): JsonObject {
  const { reasoning, text, toolCalls } = completion
  const content: JsonObject[] = []
  if (reasoning) content.push({ type: 'thinking', thinking: reasoning })
  if (text) content.push({ type: 'text', text })
  const calls = toolCalls.map(callOf)
  const message = jsonObject({
    role: 'assistant',
    content,
    tool_calls: calls.length > 0 ? calls : undefined,
  })
  return { id: ID, message, ...ending(completion) }
}

function eventsOf(completion: Completion): StreamEvent[] {
  const { reasoning, text, toolCalls } = completion
  const start = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
  const blocks = [
    ...(reasoning ? [blockOf('thinking', reasoning)] : []),
    ...(text ? [blockOf('text', text)] : []),
  ]
  const end = ending(completion)
  return [
    event('message-start', { id: ID, delta: { message: start } }),
    ...blocks.flatMap((block, index) => block(index)),
    ...toolCalls.flatMap(callEvents),
    ...(Object.keys(end).length > 0 ? [event('message-end', { delta: end })] : []),
  ]
}

function blockOf(type: 'text' | 'thinking', text: string): (index: number) => StreamEvent[] {
  return (index) => [
    event('content-start', { index, delta: { message: { content: { type, [type]: '' } } } }),
    ...splitWords(text).map((piece) =>
      event('content-delta', { index, delta: { message: { content: { [type]: piece } } } }),
    ),
    event('content-end', { index }),
  ]
}

function callEvents(call: ToolCall, index: number): StreamEvent[] {
  const whole = callOf(call)
  const { arguments: input, name } = whole.function
  const opened = { ...whole, function: { name, arguments: '' } }
  const added = { function: { arguments: input } }
  return [
    event('tool-call-start', { index, delta: { message: { tool_calls: opened } } }),
    event('tool-call-delta', { index, delta: { message: { tool_calls: added } } }),
    event('tool-call-end', { index }),
  ]
}

function callOf({ id, name, arguments: input }: ToolCall): JsonObject & {
  function: { name: string; arguments: string }
} {
  return {
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name, arguments: argumentsText(input) },
  }
}

function ending({ finishReasons, toolCalls, incomplete, usage }: Completion): JsonObject {
  const usual = toolCalls.length > 0 ? 'TOOL_CALL' : 'COMPLETE'
  return jsonObject({
    finish_reason: finishReasons[0] ?? (incomplete ? undefined : usual),
    usage: usage && writeCohereUsage(usage),
  })
}

function event(type: string, fields: Record<string, JsonValue>): StreamEvent {
  return { event: type, data: { type, ...fields } }
}
