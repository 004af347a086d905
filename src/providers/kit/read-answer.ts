import { isJsonObject, tryParseJson, type JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import { frameText, type Frame } from '../../wire/amazon-frames.ts'
import { jsonOf, textOf, type Body } from '../../wire/body.ts'
import { parseEventStream, writeEvent } from '../../wire/event-stream.ts'
import type { WireResponse } from '../../wire/message.ts'
import { defined, objectOf, stringOf, unlessEmpty, type Field } from '../fields.ts'

/** One event of a streamed answer. */
export interface AnswerEvent {
  /** The `type` in its data, or the name of the event. */
  type: string
  data: JsonObject
  /** The data as it was sent, for `[DONE]`. */
  text: string
  /** True for JSON that does not parse, so that its meaning is unknown. */
  broken?: boolean
}

/** An answer joined from its events, in the form of an answer that is not streamed. */
export interface JoinedAnswer {
  body: JsonObject
  /** False when the events that end an answer are missing. */
  whole: boolean
}

/** The reader of one wire format. It reads whole bodies only, into which it joins the events of a stream. */
export interface AnswerFormat {
  /** Of a completion, what the body tells. */
  read(body: JsonObject): Partial<Completion>
  join?(events: AnswerEvent[]): JoinedAnswer
  /** Whether an array is a stream whose events came as one JSON value. */
  joinsArrays?: boolean
  /** Whether the data of an event is a text, even where it looks like JSON. */
  streamsText?: boolean
}

/** The longest piece of a body that stands for an error without a message. */
const MAX_ERROR = 500

const EVENT_STREAM = /^\uFEFF?\s*(?:data|event|id|retry)?:/

/** Reads an answer, plain or streamed, whole or cut, good or bad. */
export function readAnswer(response: WireResponse, format: AnswerFormat): Completion {
  const { status, cut } = response
  const { body, whole } = joined(response, format)

  const completion = { text: '', toolCalls: [], finishReasons: [], ...format.read(body) }
  const error = completion.error ?? errorIn(body) ?? errorOfStatus(response, body)
  // For an error or a redirect, any body is the whole answer.
  const incomplete = cut === true || (!whole && status < 300)
  return defined({ ...completion, error, incomplete: incomplete || undefined })
}

/** The events of a stream. Data that is no JSON object becomes an empty object. */
function eventsIn(text: string): AnswerEvent[] {
  return parseEventStream(text).map(({ event, data }) => {
    const value = tryParseJson(data)
    const { type } = objectOf(value)
    const broken = value === undefined && /^\s*\{/.test(data)
    return { type: stringOf(type) ?? event ?? '', data: objectOf(value), text: data, broken }
  })
}

/** The events of a parsed body, most of which need not be parsed again. */
function keptEvents({ events, layout }: Extract<Body, { kind: 'events' }>): AnswerEvent[] {
  return events.flatMap((event) => {
    if (typeof event === 'string') return eventsIn(event)
    const { data, event: name = '' } = event
    // The text of an empty value tells more than the value, and `\r` in a name ends the line.
    if (!isJsonObject(data) || Object.keys(data).length === 0 || name.includes('\r'))
      return eventsIn(writeEvent(event, layout))
    return { type: stringOf(data.type) ?? name, data, text: '', broken: false }
  })
}

/** The message of an error, from the fields in which providers put it. */
export function errorMessage(error: Field): string | undefined {
  let [whole, message]: [Field, Field] = [undefined, error]
  // Some put the object of the error into another one.
  while (isJsonObject(message)) {
    whole = message
    message = message.message ?? message.error ?? message.detail
  }
  if (typeof message === 'string' && message !== '') return message
  if (Array.isArray(message) && message.length > 0) return bounded(JSON.stringify(message))
  return whole === undefined ? undefined : bounded(JSON.stringify(whole))
}

function joined({ body }: WireResponse, format: AnswerFormat): JoinedAnswer {
  const streamed = body.kind === 'lines' || body.kind === 'frames' || isEventStream(body)
  const value = streamed ? undefined : (jsonOf(body) ?? tryParseJson(textOf(body)))
  const isStream = Array.isArray(value) && format.joinsArrays === true
  if (typeof value === 'object' && value !== null && !isStream) {
    const [first] = Array.isArray(value) ? value : [value]
    return { body: objectOf(first), whole: true }
  }
  const events = isStream ? value.map(eventOf) : eventsOf(body)
  if (!events) return { body: {}, whole: false }
  const answer = format.join?.(events) ?? { body: {}, whole: false }
  if (!format.streamsText && events.some(({ broken }) => broken)) answer.whole = false
  const failure = events.find((event) => event.type === 'error' || event.data.error)
  if (!failure || answer.body.error) return answer
  const { data } = failure
  const error = data.error ?? unlessEmpty(data) ?? failure.text
  return { ...answer, body: { ...answer.body, error } }
}

function eventsOf(body: Body): AnswerEvent[] | undefined {
  if (body.kind === 'frames') return eventsInFrames(body.frames)
  if (isEventStream(body)) return body.kind === 'events' ? keptEvents(body) : eventsIn(textOf(body))
  const text = textOf(body)
  if (!/^\s*\{/.test(text)) return undefined
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map(tryParseJson)
  return values.some(isJsonObject) ? values.map(eventOf) : undefined
}

/** The events of an answer in frames. The chunks of an invoked model hold the model's own events. */
function eventsInFrames(frames: readonly Frame[]): AnswerEvent[] {
  return frames.map((frame) => {
    if ('bytes' in frame) return { type: '', data: {}, text: '', broken: true }
    const text = frameText(frame)
    if ('headers' in frame) return exception(frame.headers, frame.data, text)
    const data = chunkOf(frame.chunk, frame.data)
    return { type: stringOf(data.type) ?? frame.event, data, text }
  })
}

/** An exception has a payload; an error has its code and message in its headers. */
function exception(headers: Record<string, string>, data: Field, text: string): AnswerEvent {
  const kind = headers[':message-type']
  if (kind !== 'exception' && kind !== 'error') {
    return { type: headers[':event-type'] ?? '', data: objectOf(data), text }
  }
  const message = headers[':error-message'] ?? headers[':exception-type'] ?? headers[':error-code']
  const error: JsonObject = unlessEmpty(objectOf(data)) ?? { message: message ?? text }
  return { type: 'error', data: { error }, text }
}

function chunkOf(chunk: Field, data: Field): JsonObject {
  const payload = objectOf(data)
  if (chunk !== undefined) return objectOf(typeof chunk === 'string' ? tryParseJson(chunk) : chunk)
  // Base64 that could not be decoded without loss may still hold an event.
  if (typeof payload.bytes !== 'string') return payload
  return objectOf(tryParseJson(Buffer.from(payload.bytes, 'base64').toString()))
}

/** Ignores the media type: plain text can be a stream of events, and a page can be declared as one. */
function isEventStream(body: Body): boolean {
  if (body.kind === 'events' && typeof body.events[0] === 'object') return true
  return body.kind !== 'json' && EVENT_STREAM.test(textOf(body))
}

function eventOf(value: Field): AnswerEvent {
  const data = objectOf(value)
  return { type: stringOf(data.type) ?? '', data, text: '', broken: value === undefined }
}

function errorIn(body: JsonObject): string | undefined {
  if (body.error) return errorMessage(body.error)
  return body.type === 'error' || body.object === 'error' ? errorMessage(body) : undefined
}

function errorOfStatus(response: WireResponse, body: JsonObject): string | undefined {
  const { status } = response
  if (status < 400) return undefined
  const said = errorMessage(body.message) ?? errorMessage(body.detail)
  return said ?? (bounded(textOf(response.body).trim()) || `HTTP ${status}`)
}

function bounded(text: string): string {
  return text.length > MAX_ERROR ? `${text.slice(0, MAX_ERROR)}…` : text
}
