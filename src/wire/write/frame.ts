import type { EventStreamCodec } from '@smithy/core/event-streams'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { requireFrom } from '../../real/load-later.ts'

/**
 * One frame of Amazon's binary event stream. JSON payloads are kept as values, any other payload as
 * the text it was; a frame that would not come back byte for byte is kept as base64.
 */
export type Frame = EventFrame | OtherFrame | { bytes: string }

/** A frame with the headers that every event has. */
export interface EventFrame {
  event: string
  /** The content of the base64 in `bytes` of the payload: the event of an invoked model, the text of an agent. */
  chunk?: JsonValue
  data: JsonValue
}

/** A frame with headers of its own, in their order: an exception, for instance. */
export interface OtherFrame {
  headers: Record<string, string>
  data: JsonValue
}

const encoder = new TextEncoder()

/** Refuses what is no UTF-8. */
export const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes of one frame, exactly as they were received. */
export function writeFrame(frame: Frame): Uint8Array {
  if ('bytes' in frame) return Buffer.from(frame.bytes, 'base64')
  const headers = 'headers' in frame ? frame.headers : eventHeaders(frame.event)
  return codec().encode({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }]),
    ),
    body: encoder.encode(payloadOf(frame)),
  })
}

/** The text of a frame; empty for a frame that could not be read. */
export function frameText(frame: Frame): string {
  if ('bytes' in frame) return ''
  return 'chunk' in frame ? textOfChunk(frame.chunk) : payloadOf(frame)
}

/** The headers of an event. */
export function eventHeaders(event: string): Record<string, string> {
  return { ':event-type': event, ':content-type': 'application/json', ':message-type': 'event' }
}

/** The payload with a chunk in base64. */
export function closeChunk(chunk: JsonValue, rest: JsonObject): JsonObject {
  return { bytes: Buffer.from(textOfChunk(chunk)).toString('base64'), ...rest }
}

function textOfChunk(chunk: JsonValue | undefined): string {
  return typeof chunk === 'string' ? chunk : JSON.stringify(chunk)
}

/** The text of the payload of a frame. */
export function payloadOf(frame: EventFrame | OtherFrame): string {
  const { data } = frame
  if (typeof data === 'string') return data
  const closed =
    'chunk' in frame && frame.chunk !== undefined && isJsonObject(data)
      ? closeChunk(frame.chunk, data)
      : data
  return JSON.stringify(closed)
}

let shared: EventStreamCodec | undefined

/** Loaded at the first frame: most tests never see one. */
export function codec(): EventStreamCodec {
  if (shared) return shared
  const load = requireFrom(import.meta.url)
  const { EventStreamCodec: Codec } = load(
    '@smithy/core/event-streams',
  ) as typeof import('@smithy/core/event-streams')
  shared = new Codec(
    (bytes) => decoder.decode(bytes as Uint8Array),
    (text) => encoder.encode(text),
  )
  return shared
}
