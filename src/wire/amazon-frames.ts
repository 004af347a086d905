import { requireFrom } from '../real/load-later.ts'
import { crc32 } from 'node:zlib'
import type { EventStreamCodec } from '@smithy/core/event-streams'
import { isJsonObject, tryParseJson, type JsonObject, type JsonValue } from '../json/json-value.ts'

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

/** Lengths of the frame and of its headers, the checksum of the two, and that of the frame. */
const MIN_FRAME = 16
const PRELUDE = 8

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Splits a stream into its frames without losing a byte; `undefined` for bytes that are no such stream. */
export function splitFrames(bytes: Uint8Array): Frame[] | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Nearly every body begins with no frame, and is not searched.
  if (!lengthOfFrame(view, 0)) return undefined
  const frames: Frame[] = []
  let start = 0
  while (start < view.length) {
    const end = start + (lengthOfFrame(view, start) ?? view.length - start)
    frames.push(readFrame(view.subarray(start, end)))
    start = end
  }
  return frames.every((frame) => 'bytes' in frame) ? undefined : frames
}

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

/** The length of the whole frame that begins at `start`; `undefined` where none does. */
function lengthOfFrame(view: Buffer, start: number): number | undefined {
  if (view.length - start < MIN_FRAME) return undefined
  const length = view.readUInt32BE(start)
  if (length < MIN_FRAME || length > view.length - start) return undefined
  const sum = crc32(view.subarray(start, start + PRELUDE))
  return sum === view.readUInt32BE(start + PRELUDE) ? length : undefined
}

function readFrame(bytes: Buffer): Frame {
  try {
    const frame = decodeFrame(bytes)
    if (bytes.equals(writeFrame(frame))) return frame
  } catch {
    // No frame, or one that the codec refuses: only its bytes are kept.
  }
  return { bytes: bytes.toString('base64') }
}

function decodeFrame(bytes: Buffer): Frame {
  const { headers, body } = codec().decode(bytes)
  const texts = Object.fromEntries(
    Object.entries(headers).map(([name, { value }]) => [name, String(value)]),
  )
  const data = readPayload(decoder.decode(body))
  const { ':event-type': event = '' } = texts
  const usual = JSON.stringify(texts) === JSON.stringify(eventHeaders(event))
  return usual ? { event, ...openChunk(data) } : { headers: texts, data }
}

function eventHeaders(event: string): Record<string, string> {
  return { ':event-type': event, ':content-type': 'application/json', ':message-type': 'event' }
}

function readPayload(text: string): JsonValue {
  const value = tryParseJson(text)
  const readable = typeof value === 'object' && value !== null
  return readable && JSON.stringify(value) === text ? value : text
}

/** Decodes the base64 of a chunk if encoding it again gives the same payload. */
function openChunk(data: JsonValue): Omit<EventFrame, 'event'> {
  if (!isJsonObject(data) || typeof data.bytes !== 'string') return { data }
  const { bytes, ...rest } = data
  const chunk = readPayload(Buffer.from(bytes, 'base64').toString())
  const same = JSON.stringify(closeChunk(chunk, rest)) === JSON.stringify(data)
  // An agent's answer is plain text.
  const isOpen = isJsonObject(chunk) || typeof chunk === 'string'
  return isOpen && same ? { chunk, data: rest } : { data }
}

function closeChunk(chunk: JsonValue, rest: JsonObject): JsonObject {
  return { bytes: Buffer.from(textOfChunk(chunk)).toString('base64'), ...rest }
}

function textOfChunk(chunk: JsonValue | undefined): string {
  return typeof chunk === 'string' ? chunk : JSON.stringify(chunk)
}

function payloadOf(frame: EventFrame | OtherFrame): string {
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
function codec(): EventStreamCodec {
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
