import { CassetteError } from '../errors.ts'
import { hasOnly } from '../json/checks.ts'
import { isJsonObject, type JsonObject, type JsonValue, mapInside } from '../json/json-value.ts'
import { MAX_SPACE, type JsonLayout } from '../json/layout.ts'
import { sha256 } from '../prompt/sha256.ts'
import type { Frame } from '../wire/amazon-frames.ts'
import type { Body } from '../wire/body.ts'
import type { StreamEvent } from '../wire/event-stream.ts'
import type { FormPart } from '../wire/form-data.ts'
import type { JsonLine } from '../wire/ndjson.ts'
import { restoreRuns } from './format/event-runs.ts'
import { refuseBeside, unwrapReserved } from './format/reserved-keys.ts'

/**
 * A body as it stands in the file: JSON as itself, anything else as an object with one `$` key (`$text`, `$events`,
 * `$lines`, `$frames`, `$form`, `$base64`). An empty body has no value.
 */
export interface StoredBody {
  body?: JsonValue
  layout?: JsonLayout
  eol?: '\n' | '\r\n'
}

/** The keys of bodies that are no JSON. */
const BODIES: ReadonlySet<string | undefined> = new Set([
  '$text',
  '$base64',
  '$events',
  '$lines',
  '$frames',
  '$form',
])

/** Restores a stored body; the caller decodes escapes and references inside its JSON. */
export function restoreBody({ body, layout = {}, eol = '\n' }: StoredBody): Body {
  if (body === undefined) return { kind: 'empty' }
  const special = isJsonObject(body) ? Object.keys(body)[0] : undefined
  const content = special === undefined ? undefined : (body as JsonObject)[special]
  if (BODIES.has(special)) refuseBeside(body as JsonObject, special!)
  switch (special) {
    case '$text':
      return { kind: 'text', text: readTexts('$text', content) }
    case '$base64':
      return { kind: 'bytes', bytes: Buffer.from(readTexts('$base64', content), 'base64') }
    case '$events': {
      const events = itemsOf<StreamEvent>('$events', runsIn(content), isEvent, 'event')
      return { kind: 'events', events, layout: { eol, json: layout } }
    }
    case '$lines': {
      const lines = itemsOf<JsonLine>('$lines', content, isLine, 'line')
      return { kind: 'lines', lines, layout: { eol, json: layout } }
    }
    case '$form':
      return { kind: 'form', parts: itemsOf<FormPart>('$form', content, isJsonObject, 'part') }
    case '$frames':
      return {
        kind: 'frames',
        frames: itemsOf<Frame>('$frames', runsIn(content), isFrame, 'frame'),
      }
    default:
      return { kind: 'json', value: body, layout }
  }
}

/** Changes the JSON inside a body: its value, or the JSON of its lines, events, frames or parts. */
export function mapJson(body: Body, change: (value: JsonValue) => JsonValue): Body {
  if (body.kind === 'json') return { ...body, value: change(body.value) }
  if (body.kind === 'lines') {
    const lines = body.lines.map((line) => (typeof line === 'string' ? line : change(line)))
    return { ...body, lines: lines as JsonLine[] }
  }
  if (body.kind === 'form') {
    return { ...body, parts: body.parts.map(change) as FormPart[] }
  }
  if (body.kind === 'frames') return { ...body, frames: mapFrames(body.frames, change) }
  if (body.kind !== 'events') return body
  const events = body.events.map((event) => {
    if (typeof event === 'string') return event
    const data = change(event.data)
    return data === event.data ? event : { ...event, data }
  })
  return { ...body, events }
}

/** Changes the base64 of a stored body that is bytes. */
export function mapBase64(stored: StoredBody, change: (value: JsonValue) => JsonValue): StoredBody {
  const base64 = isJsonObject(stored.body) ? stored.body.$base64 : undefined
  return base64 === undefined ? stored : { ...stored, body: { $base64: change(base64) } }
}

function readTexts(name: string, content: JsonValue | undefined): string {
  const texts = Array.isArray(content) ? content : [content ?? null]
  return itemsOf<string>(name, texts, (text) => typeof text === 'string', 'text').join('')
}

/** The items of a list, each of which is what it has to be. */
function itemsOf<Item>(
  name: string,
  content: JsonValue | undefined,
  isItem: (item: JsonValue) => boolean,
  what: string,
): Item[] {
  if (Array.isArray(content) && content.every(isItem)) return content as Item[]
  throw new CassetteError('invalid-cassette', `${name} holds something that is no ${what}`)
}

function mapFrames(frames: Frame[], change: (value: JsonValue) => JsonValue): Frame[] {
  return frames.map((frame) => {
    if ('bytes' in frame) return frame
    const data = change(frame.data)
    return 'chunk' in frame && frame.chunk !== undefined
      ? { ...frame, chunk: change(frame.chunk), data }
      : { ...frame, data }
  })
}

function runsIn(content: JsonValue | undefined): JsonValue[] | undefined {
  return Array.isArray(content) ? restoreRuns(content) : undefined
}

function isLine(line: JsonValue): boolean {
  return typeof line === 'string' || isJsonObject(line)
}

// A newer version may add keys, which could change the bytes.

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

function isEvent(event: JsonValue): boolean {
  if (typeof event === 'string') return true
  if (!isJsonObject(event) || !('data' in event)) return false
  const { event: name, pad = 1 } = event
  const isPadded = Number.isInteger(pad) && Number(pad) > 0 && Number(pad) <= MAX_SPACE
  const isNamed = typeof name === 'string' || name === undefined
  return isPadded && isNamed && hasOnly(event, ['event', 'data', 'pad'])
}

/** A text in pieces, as a rule its lines with their ends: `{ "$text": ["one\n", "two"] }`. */
export interface StoredText {
  $text: string[]
}

/** The text of its stored form. */
export function restoreText(stored: string | StoredText): string {
  return typeof stored === 'string' ? stored : stored.$text.join('')
}

/** Restores a readable value from its stored form. */
export function restoreReadable(value: JsonValue): JsonValue {
  const wrapped = isJsonObject(value) ? unwrapReserved(value) : undefined
  if (!wrapped && isStoredText(value)) return value.$text.join('')
  return mapInside(wrapped ?? value, restoreReadable)
}

/** Whether a stored value is a text in pieces. */
export function isStoredText(value: unknown): value is StoredText {
  const pieces = isJsonObject(value) ? value.$text : undefined
  return Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string')
}

/** The file name of a blob is its hash, so that a cassette cannot choose a path. */
const BLOB_NAME = /^[0-9a-f]{64}\.[a-z0-9]{2,5}$/

/** Whether a file is one that `extractBlob` could have saved under this name. */
export function isBlob(name: string, bytes: Uint8Array): boolean {
  return BLOB_NAME.test(name) && name.startsWith(sha256(bytes))
}

/**
 * The base64 of an extracted file.
 *
 * @throws CassetteError `invalid-cassette` for a name that no blob has, or a file that does not match its name.
 */
export function loadBlob(name: string, load: (name: string) => Buffer): string {
  if (!BLOB_NAME.test(name))
    throw new CassetteError('invalid-cassette', `'${name}' is not the name of a blob`)
  const bytes = load(name)
  if (!name.startsWith(sha256(bytes))) {
    throw new CassetteError(
      'invalid-cassette',
      `the file blobs/${name} differs from the recorded one`,
    )
  }
  return bytes.toString('base64')
}
