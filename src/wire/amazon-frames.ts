import { crc32 } from 'node:zlib'
import { isJsonObject, tryParseJson, type JsonValue } from '../json/json-value.ts'
import {
  closeChunk,
  codec,
  decoder,
  eventHeaders,
  type EventFrame,
  type Frame,
  writeFrame,
} from './write/frame.ts'

export { eventHeaders, type Frame, frameText, payloadOf, writeFrame } from './write/frame.ts'

/** Lengths of the frame and of its headers, the checksum of the two, and that of the frame. */
const MIN_FRAME = 16
const PRELUDE = 8

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
