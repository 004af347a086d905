import { type JsonObject, type JsonValue, tryParseJson } from '../../json/json-value.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import { sha256 } from '../../prompt/sha256.ts'
import type { Frame } from '../../wire/amazon-frames.ts'
import { type Body, textOf } from '../../wire/body.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import type { Field } from '../fields.ts'

/** The body of a written answer: one value, the events, lines or frames of a stream, or an array. */
export type WrittenBody =
  | { whole: JsonObject }
  | { events: StreamEvent[] }
  | { lines: JsonObject[] }
  | { list: JsonObject[] }
  | { frames: Frame[] }

/** Writes an error in a format, given its message. */
export type WriteFailure = (message: string) => JsonObject

/** Writes a response from a completion and the body that its dialect wrote. */
export function writeAnswer(
  completion: Completion,
  written: WrittenBody,
  writeFailure: WriteFailure = (message) => ({ error: { message } }),
): WireResponse {
  const { error, incomplete } = completion
  const failure = error === undefined ? undefined : writeFailure(error)
  if (failure && isRefusal(completion)) return respond(400, { whole: failure })
  const answer = respond(200, failure ? withFailure(written, failure) : written)
  return incomplete ? { ...answer, cut: true } : answer
}

/** A text in the pieces of a stream: word by word. */
export function splitWords(text: Field): string[] {
  return text && typeof text === 'string' ? text.split(/(?<=\s)(?=\S)/) : []
}

/** What a completion says, piece by piece: its thought, its text and its calls. */
export function eachSaid<Said>(
  { reasoning, text, toolCalls }: Completion,
  write: {
    reasoning(text: string): Said
    text(text: string): Said
    call(call: ToolCall, index: number): Said
  },
): Said[] {
  return [
    ...(reasoning ? [write.reasoning(reasoning)] : []),
    ...(text ? [write.text(text)] : []),
    ...toolCalls.map(write.call),
  ]
}

/** Values as events, each of which has the name that its type says. */
export function byType(values: readonly JsonObject[]): StreamEvent[] {
  return values.map((data) => ({ event: data.type as string, data }))
}

/** The finish reason: the first that is given, or the usual one of an answer that has ended well. */
export function reasonOr(
  { finishReasons, incomplete, error }: Completion,
  usual: string,
): string | undefined {
  return finishReasons[0] ?? (incomplete || error !== undefined ? undefined : usual)
}

/** Whether an answer broke off before its finish reason. */
export function isOpen({ incomplete, finishReasons, usage }: Completion): boolean {
  return incomplete === true && finishReasons.length === 0 && usage === undefined
}

/** Whether the completion is nothing but an error: then the provider refused the request. */
function isRefusal({ text, reasoning, toolCalls, finishReasons, incomplete }: Completion): boolean {
  return !incomplete && !text && !reasoning && toolCalls.length === 0 && finishReasons.length === 0
}

function withFailure(written: WrittenBody, failure: JsonObject): WrittenBody {
  // The error of some formats shares fields with an answer, so it stands under `error`.
  if ('whole' in written) return { whole: { ...written.whole, error: failure.error ?? failure } }
  if ('lines' in written) return { lines: [...written.lines, failure] }
  if ('list' in written) return { list: [...written.list, failure] }
  if ('frames' in written) return { frames: [...written.frames, exceptionOf(failure)] }
  const name = failure.error === undefined || failure.type === 'error' ? { event: 'error' } : {}
  return { events: [...written.events, { ...name, data: failure }] }
}

function exceptionOf(failure: JsonObject): Frame {
  const headers = {
    ':exception-type': 'modelStreamErrorException',
    ':content-type': 'application/json',
    ':message-type': 'exception',
  }
  return { headers, data: failure }
}

function respond(status: number, written: WrittenBody): WireResponse {
  const [type, body] = bodyOf(written)
  return { status, headers: { 'content-type': type }, body }
}

function bodyOf(written: WrittenBody): [contentType: string, body: Body] {
  const layout = { eol: '\n', json: {} }
  if ('events' in written)
    return ['text/event-stream', { kind: 'events', events: written.events, layout }]
  if ('lines' in written)
    return ['application/x-ndjson', { kind: 'lines', lines: written.lines, layout }]
  if ('frames' in written)
    return ['application/vnd.amazon.eventstream', { kind: 'frames', frames: written.frames }]
  const value = 'whole' in written ? written.whole : written.list
  return ['application/json', { kind: 'json', value, layout: {} }]
}

/** The id of a call. A call without one gets an id that is the same in every run. */
export function callId(
  call: ToolCall,
  index: number,
  prefix: string,
  request: WireRequest,
): string {
  if (call.id !== undefined) return call.id
  return prefix + sha256(`${index} ${textOf(request.body)}`).slice(0, 24)
}

/** The completion, each of its calls with an id. */
export function withCallIds(completion: Completion, request: WireRequest): Completion {
  const toolCalls = completion.toolCalls.map((call, index) => ({
    ...call,
    id: callId(call, index, 'call_', request),
  }))
  return { ...completion, toolCalls }
}

/** The arguments of a call as JSON text; a text that is not JSON is written as it is. */
export function argumentsText(value: JsonValue): string {
  const isBroken = typeof value === 'string' && tryParseJson(value) === undefined
  return isBroken ? value : JSON.stringify(value)
}
