import { isJsonObject, tryParseJson, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Frame } from '../wire/amazon-frames.ts'
import type { Body } from '../wire/body.ts'
import { fieldsOf, withData, type StreamEvent } from '../wire/event-stream.ts'

/** A part of an answer that arrived at once: all of it, or one event of a stream. */
interface Piece {
  /** The name of the event, where it has one. */
  name?: string
  value: JsonValue
}

/** The pieces of an answer; a text that is no JSON is one too. */
export function piecesOf(body: Body): Piece[] {
  const pieces: Piece[] = []
  mapPieces(body, (value, name) => {
    pieces.push({ value, ...(name === undefined ? {} : { name }) })
    return value
  })
  return pieces
}

/** Whether an answer came in pieces. */
export function isStream(body: Body): boolean {
  return ['events', 'lines', 'frames'].includes(body.kind) || isAnswerList(body)
}

/** The same body with other values in its pieces. */
export function mapPieces(
  body: Body,
  change: (value: JsonValue, name?: string) => JsonValue,
): Body {
  switch (body.kind) {
    case 'json':
      return isAnswerList(body)
        ? { ...body, value: (body.value as JsonValue[]).map((item) => change(item)) }
        : { ...body, value: change(body.value) }
    case 'events':
      return {
        ...body,
        events: body.events.map((event) => {
          const { event: name, data } = typeof event === 'string' ? fieldsOf(event) : event
          // An event without data is a comment.
          if (data === undefined) return event
          const before = typeof data === 'string' ? (tryParseJson(data) ?? data) : data
          const after = change(before, name)
          return after === before ? event : withData(event, after, body.layout)
        }) as StreamEvent[],
      }
    case 'lines':
      return {
        ...body,
        lines: body.lines.map((line) => change(line) as JsonObject | string),
      }
    case 'frames':
      return { ...body, frames: body.frames.map((frame) => mapFrame(frame, change)) }
    case 'text':
      return { ...body, text: change(body.text) as string }
    case 'bytes':
      change(Buffer.from(body.bytes).toString('base64'))
      return body
    default:
      return body
  }
}

function mapFrame(frame: Frame, change: (value: JsonValue, name?: string) => JsonValue): Frame {
  if ('bytes' in frame) {
    change(frame.bytes)
    return frame
  }
  const name = 'event' in frame ? frame.event : JSON.stringify(frame.headers)
  const data = change(frame.data, name)
  if (!('chunk' in frame) || frame.chunk === undefined) return { ...frame, data }
  return { ...frame, data, chunk: change(frame.chunk, name) }
}

/** A list of Gemini's answers is a stream that was not sent as events. */
function isAnswerList(body: Body): boolean {
  return (
    body.kind === 'json' &&
    Array.isArray(body.value) &&
    body.value.length > 0 &&
    body.value.every((item) => isJsonObject(item) && 'candidates' in item)
  )
}
