import { hasOnly } from '../../json/checks.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { JsonLayout } from '../../json/layout.ts'
import type { Frame } from '../../wire/amazon-frames.ts'
import type { Body } from '../../wire/body.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import type { FormPart } from '../../wire/form-data.ts'
import type { JsonLine } from '../../wire/ndjson.ts'
import { joined, References, type Texts } from './references.ts'
import { refuseFile } from './refuse-file.ts'

/** The members of a request or of `sent` that are its body, and how it was spelled. */
export interface StoredBody {
  layout?: JsonLayout
  eol?: '\n' | '\r\n'
  as_sent?: string
  named?: true
  body?: JsonValue
  text?: Texts
  base64?: Texts
  file?: string
  form?: JsonValue[]
  lines?: JsonValue[]
  frames?: JsonValue[]
  events?: JsonValue[]
}

/** Puts values in the place of the markers of a value: of a whole body, or of a part of one. */
export type Resolve = (value: JsonValue, isWhole: boolean) => JsonValue

/**
 * Restores a body.
 *
 * @param resolve puts values in the place of markers
 * @param load the base64 of a file of the folder `blobs`
 */
export function restoreBody(
  stored: StoredBody,
  resolve: Resolve,
  load: (name: string) => string,
): Body {
  const { layout = {}, body, text, base64, file, form, lines, frames, events, eol = '\n' } = stored
  if (body !== undefined) {
    const { as_sent: asSent } = stored
    return {
      kind: 'json',
      value: resolve(body, true),
      layout,
      ...(asSent === undefined ? {} : { asSent }),
    }
  }
  if (text !== undefined) return { kind: 'text', text: joined(text) }
  if (base64 !== undefined) return { kind: 'bytes', bytes: Buffer.from(joined(base64), 'base64') }
  if (file !== undefined) return { kind: 'bytes', bytes: Buffer.from(load(file), 'base64') }
  const itemsOf = (items: JsonValue[]): JsonValue[] =>
    items.flatMap(References.spread).map((item) => resolve(item, false))
  if (form)
    return { kind: 'form', parts: form.map((part) => restorePart(resolve(part, false), load)) }
  if (lines)
    return { kind: 'lines', lines: itemsOf(lines).map(restoreLine), layout: { eol, json: layout } }
  if (frames) return { kind: 'frames', frames: itemsOf(frames).map(restoreFrame) }
  if (!events) return { kind: 'empty' }
  const restored = events
    .flatMap(References.spread)
    .map((item) => restoreEvent(item, resolve, stored.named))
  return { kind: 'events', events: restored, layout: { eol, json: layout } }
}

function restoreEvent(item: JsonValue, resolve: Resolve, isNamed: true | undefined): StreamEvent {
  if (typeof item === 'string') return { data: item }
  if (!Array.isArray(item)) {
    const data = resolve(item, false)
    if (!isJsonObject(data)) throw refuseFile('an event is no object', 'invalid')
    return isNamed && typeof data.type === 'string' ? { event: data.type, data } : { data }
  }
  const [first, data] = item
  if (typeof first !== 'string' || item.length > 2) throw refuseFile('an event is none', 'invalid')
  if (data === undefined) return first
  const restored = resolve(data, false)
  if (typeof restored !== 'string' && !isJsonObject(restored))
    throw refuseFile('an event is none', 'invalid')
  return { event: first, data: restored }
}

function restoreLine(line: JsonValue): JsonLine {
  if (typeof line === 'string' || isJsonObject(line)) return line
  throw refuseFile('a line is no text and no object', 'invalid')
}

function restoreFrame(frame: JsonValue): Frame {
  if (isFrame(frame)) return frame as unknown as Frame
  throw refuseFile('a frame is none', 'invalid')
}

function isFrame(frame: JsonValue): boolean {
  if (!isJsonObject(frame)) return false
  if ('bytes' in frame) return typeof frame.bytes === 'string' && hasOnly(frame, ['bytes'])
  const { event, headers, data } = frame
  if (data === undefined || ('chunk' in frame && !isJsonObject(data))) return false
  if (!isJsonObject(headers))
    return typeof event === 'string' && hasOnly(frame, ['event', 'data', 'chunk'])
  const areTexts = Object.values(headers).every((value) => typeof value === 'string')
  return areTexts && hasOnly(frame, ['headers', 'data', 'chunk'])
}

const PART = ['name', 'filename', 'type', 'headers', 'text', 'base64', 'file']

function restorePart(part: JsonValue, load: (name: string) => string): FormPart {
  if (!isJsonObject(part) || !hasOnly(part, PART))
    throw refuseFile('a part of a form is none', 'invalid')
  const { file, ...others } = part
  return typeof file === 'string' ? { ...others, base64: load(file) } : (part as JsonObject)
}
