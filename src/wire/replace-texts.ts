import {
  mapInside,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  parseJson,
  tryParseJson,
} from '../json/json-value.ts'
import { fold } from '../json/walk.ts'
import { findSpans, isJsonText, spellNumber } from '../json/find-in-json.ts'
import { writeJson } from '../json/layout.ts'
import { findAcross, type FindAcross, placeBelow } from '../json/read-as-one.ts'
import {
  isApart,
  markedNumber,
  orderSpans,
  replaceSpans,
  spreadSpans,
  type FindSpans,
  type TextSpan,
} from '../json/text-span.ts'
import type { Frame } from './amazon-frames.ts'
import type { Body } from './body.ts'
import {
  type Channel,
  channelInside,
  channelOfEvent,
  channelOfItem,
  isAnswerList,
  isInPieces,
} from './channels.ts'
import { fieldsOf, type StreamEvent, type StreamLayout, withData } from './event-stream.ts'
import type { JsonLine } from './ndjson.ts'

/** Returns the new text for a text. A text with a channel is a piece of a streamed text; a key has no place. */
export interface MapText {
  (text: string, place?: string, channel?: Channel, isNumber?: boolean): string
  /** Maps a list of bytes as the text that it says, one character for each; without it, each is a number. */
  bytes?: (said: string, place: string) => string
}

/**
 * Returns another value for a value of a body.
 *
 * @param event set for one of several values, such as the data of an event
 */
export type MapValue = (value: JsonValue, event?: { name?: string | undefined }) => JsonValue

/** A line of an event that is no data: its field with the colon, if it has one, and its value. */
const OTHER_LINE = /^(?!data(?::|$))([^:\r\n]*: ?)?(.+)$/gm

const HAS_DATA = /^data/m

/** The place of names, ids and comments of events, which are read as one text too. */
const BESIDE_DATA = '.event'

/** The place of a frame that could not be read. */
export const UNREADABLE = '.bytes'

/**
 * The same body with other values: of all of it, or of each answer, event, line, frame and part of a form. JSON that had
 * to be kept as a text is parsed, and spelled anew only if it changed.
 *
 * @param beside maps what stands beside the values of a stream: names of events, headers, comments, unreadable frames
 */
export function mapBody(body: Body, map: MapValue, beside?: MapText): Body {
  switch (body.kind) {
    case 'json': {
      const { value } = body
      const isList = isAnswerList(value) && value.length > 0
      return { ...body, value: isList ? value.map((one) => map(one, {})) : map(value) }
    }
    case 'text':
      return { ...body, text: map(body.text) as string }
    case 'events':
      return {
        ...body,
        events: body.events.map((event) => mapEvent(event, body.layout, map, beside)),
      }
    case 'lines':
      return { ...body, lines: body.lines.map((line) => mapLine(line, map)) }
    case 'frames':
      return { ...body, frames: body.frames.map((frame) => mapFrame(frame, map, beside)) }
    case 'form':
      return { ...body, parts: body.parts.map((part) => map(part)) as typeof body.parts }
    default:
      return body
  }
}

function mapEvent(
  event: StreamEvent,
  layout: StreamLayout,
  map: MapValue,
  beside: MapText | undefined,
): StreamEvent {
  const { event: name, data } = typeof event === 'string' ? fieldsOf(event) : event
  const named = beside ? mapBeside(event, name, data, beside) : event
  if (data === undefined) return named
  const mapped = mapData(data, { name }, map)
  return mapped === data ? named : withData(named, mapped, layout)
}

/** Maps the lines of an event that are no data. A block with the data of several events is one text. */
function mapBeside(
  event: StreamEvent,
  name: string | undefined,
  data: JsonValue | undefined,
  map: MapText,
): StreamEvent {
  if (typeof event !== 'string') {
    const named = name === undefined ? undefined : map(name, BESIDE_DATA)
    return named === name ? event : { ...event, event: named }
  }
  if (data === undefined && HAS_DATA.test(event)) return map(event, BESIDE_DATA)
  return event.replaceAll(
    OTHER_LINE,
    (_, field: string = '', value: string) => field + map(value, BESIDE_DATA),
  )
}

function mapLine(line: JsonLine, map: MapValue): JsonLine {
  const text = typeof line === 'string' ? line.trimEnd() : line
  const mapped = mapData(text, {}, map) as JsonLine
  if (typeof line !== 'string') return mapped
  return mapped === text ? line : `${mapped as string}${line.slice(text.length as number)}`
}

function mapFrame(frame: Frame, map: MapValue, beside: MapText | undefined): Frame {
  if ('bytes' in frame) return beside ? mapBytes(frame, beside) : frame
  const isEvent = 'event' in frame
  const name = isEvent ? frame.event : JSON.stringify(frame.headers)
  const head = !beside
    ? {}
    : isEvent
      ? { event: beside(frame.event, BESIDE_DATA) }
      : { headers: mapValue(frame.headers, beside, '.headers') as Record<string, string> }
  const data = mapData(frame.data, { name }, map)
  if (!('chunk' in frame) || frame.chunk === undefined) return { ...frame, ...head, data } as Frame
  return { ...frame, ...head, data, chunk: mapData(frame.chunk, { name }, map) } as Frame
}

/** A frame that could not be read, with each byte as a character. */
function mapBytes(frame: { bytes: string }, map: MapText): Frame {
  const text = Buffer.from(frame.bytes, 'base64').toString('latin1')
  const mapped = map(text, UNREADABLE)
  return mapped === text ? frame : { bytes: Buffer.from(mapped, 'latin1').toString('base64') }
}

function mapData(data: JsonValue, event: { name?: string | undefined }, map: MapValue): JsonValue {
  const value = typeof data === 'string' ? tryParseJson(data) : undefined
  if (!isJsonObject(value)) return map(data, event)
  const mapped = map(value, event)
  return mapped === value ? data : writeJson(mapped)
}

/** Maps the texts of a body in their order: string values and keys, and numbers as they are spelled. */
export function mapTexts(body: Body, map: MapText): Body {
  return mapBody(
    body,
    (value, event) => (event ? mapPiece(value, event.name, map) : mapAll(value, map)),
    map,
  )
}

/** Maps a value that streams. */
function mapPiece(value: JsonValue, name: string | undefined, map: MapText): JsonValue {
  if (typeof value === 'string') return map(value, '.data', `${name ?? ''}.data`)
  if (!isJsonObject(value)) return mapValue(value, map, '.data')
  const { type } = value
  return mapValue(value, map, typeof type === 'string' ? type : '', channelOfEvent(name, value))
}

/** Maps a whole value. A list of answers whose spelling had to be kept as a text is spelled anew. */
function mapAll(value: JsonValue, map: MapText): JsonValue {
  if (typeof value !== 'string') return mapValue(value, map, '')
  const answers = value.startsWith('[') ? tryParseJson(value) : undefined
  if (!isAnswerList(answers)) return map(value)
  return writeJson(
    answers.map((one) => mapPiece(one, undefined, map)),
    { indent: 2 },
  )
}

/** Where a text stands: its place, and the channel of which it can be a piece. */
interface Told {
  place: string
  channel: Channel | undefined
}

type Inside = (value: JsonValue, told: Told) => JsonValue

function mapValue(value: JsonValue, map: MapText, place: string, channel?: Channel): JsonValue {
  return fold(value, { place, channel }, (one, told, inside) => mapOne(one, map, told, inside))
}

function mapOne(value: JsonValue, map: MapText, told: Told, inside: Inside): JsonValue {
  const { place, channel } = told
  if (typeof value === 'string') {
    const mapped = map(value, place, channel)
    const number = markedNumber(mapped)
    return number === undefined ? mapped : parseJson(number)
  }
  if (typeof value === 'number' || isRawNumber(value)) {
    const source = JSON.stringify(value)
    const mapped = map(source, undefined, undefined, true)
    return mapped === source ? value : parseJson(spellNumber(mapped))
  }
  if (Array.isArray(value)) {
    if (map.bytes && value.length > 0 && value.every(isByte))
      return mapList(value, map.bytes, place)
    return mapInside(value, (item, position) =>
      inside(item, { place, channel: channel && channelOfItem(channel, item, Number(position)) }),
    )
  }
  return isJsonObject(value) ? mapFields(value, map, told, inside) : value
}

function mapFields(
  value: JsonObject,
  map: MapText,
  { place, channel }: Told,
  inside: Inside,
): JsonObject {
  if (map.bytes && isTypedArray(value)) {
    const bytes = Object.values(value) as number[]
    const mapped = mapList(bytes, map.bytes, place)
    return mapped === bytes ? value : Object.fromEntries(mapped.entries())
  }
  const within = channel && channelInside(channel, value)
  const before = Object.entries(value)
  const after = before.map(([key, child]): [string, JsonValue] => [
    map(key),
    inside(child, { place: placeBelow(place, key), channel: within && `${within}.${key}` }),
  ])
  const same = after.every(([key, child], index) => {
    const [oldKey, oldChild] = before[index]!
    return key === oldKey && child === oldChild
  })
  return same ? value : Object.fromEntries(after)
}

function mapList(
  bytes: number[],
  map: (said: string, place: string) => string,
  place: string,
): number[] {
  const said = Buffer.from(bytes).toString('latin1')
  const mapped = map(said, place)
  return mapped === said ? bytes : [...Buffer.from(mapped, 'latin1')]
}

/** True for a `Uint8Array` as JSON writes it: an object with its positions as keys. */
function isTypedArray(value: JsonObject): boolean {
  return (
    '0' in value &&
    Object.entries(value).every(([key, item], at) => Number(key) === at && isByte(item))
  )
}

/** True for a number of a list of bytes. */
export function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256
}

/**
 * Replaces the spans that `find` returns in all texts of a body: string values and keys, numbers, and the texts inside
 * JSON that is itself a text. A text that streams in pieces over many events is given to `find` as a whole; if a span
 * lies in several pieces, the first one takes all of the new text. Events keep their number and order, and a body
 * without a span is returned as it is. Bytes that are no text are left alone. Answers are bound to a run by this where
 * they are replayed, never in the cassette.
 *
 * @param find gets each whole text, and returns the spans to replace in it
 * @param across gets texts that are read as one, and returns the spans that lie in several of them
 * @param findBytes gets what the lists of bytes at one place say; without it, bytes are numbers
 */
export function replaceTexts(
  body: Body,
  find: FindSpans,
  across?: FindAcross,
  findBytes?: FindSpans,
): Body {
  const pieces = piecesOf(body, findBytes !== undefined)
  const replaced = replaceIn(pieces, find, across, findBytes)
  if (pieces.every((piece, index) => piece.text === replaced[index])) return body
  let next = 0
  const map: MapText = () => replaced[next++]!
  if (findBytes) map.bytes = map
  return mapTexts(body, map)
}

/** A message with other texts in its body, as {@link replaceTexts} replaces them; the same message without a span. */
export function replaceInBody<Message extends { body: Body }>(
  message: Message,
  find: FindSpans,
): Message {
  const body = replaceTexts(message.body, find)
  return body === message.body ? message : { ...message, body }
}

/** A text of a body; one with a channel is a piece of a text that streams. */
interface Piece {
  text: string
  place?: string
  channel?: Channel
  kind?: 'number' | 'bytes'
}

/** Reads what {@link replaceTexts} looks for. */
interface Readers {
  /** Reads a text as it stands, or a piece of one that streams. */
  piece(text: string, streams: boolean): void
  /** Reads a whole text of a body that streams; of JSON that is a text, each text in it. */
  text(text: string): void
  across(texts: readonly string[]): void
  bytes(said: string): void
}

/** Reads all texts of a body. */
export function readTexts(body: Body, readers: Readers): void {
  const pieces = piecesOf(body, true)
  for (const { text, kind, channel } of pieces)
    if (!kind) readers.piece(text, channel !== undefined)
  const none = (read: (text: string) => void) => (text: string) => (read(text), [])
  const streams = body.kind !== 'json' || isAnswerList(body.value)
  const across: FindAcross = (texts) => (readers.across(texts), [])
  replaceIn(pieces, streams ? none(readers.text) : () => [], across, none(readers.bytes))
}

function piecesOf(body: Body, areBytesTexts: boolean): Piece[] {
  const pieces: Piece[] = []
  const map: MapText = (text, place, channel, isNumber) => {
    pieces.push({ text, place, channel, kind: isNumber ? 'number' : undefined })
    return text
  }
  if (areBytesTexts)
    map.bytes = (text, place) => {
      pieces.push({ text, place, kind: 'bytes' })
      return text
    }
  mapTexts(body, map)
  return pieces
}

function replaceIn(
  pieces: readonly Piece[],
  find: FindSpans,
  across?: FindAcross,
  findBytes?: FindSpans,
): string[] {
  const each = replacePieces(pieces, find, across, findBytes)
  return across ? replaceAcross(pieces, each, across) : each
}

function replaceAcross(pieces: readonly Piece[], texts: string[], across: FindAcross): string[] {
  const placed = pieces.flatMap(({ place, kind }, index) =>
    place === undefined || kind ? [] : [{ index, place, text: texts[index]! }],
  )
  const replaced = [...texts]
  for (const [at, spans] of findAcross(placed, across).entries()) {
    const { index, text } = placed[at]!
    replaced[index] = replaceSpans(text, spans)
  }
  return replaced
}

function replacePieces(
  pieces: readonly Piece[],
  find: FindSpans,
  across?: FindAcross,
  findBytes?: FindSpans,
): string[] {
  const replaced: string[] = []
  const alone = { texts: new Map<string, string>(), numbers: new Map<string, string>() }
  const channels = new Map<Channel, number[]>()
  const lists = new Map<string, number[]>()
  for (const [index, { text, place, channel, kind }] of pieces.entries()) {
    if (kind === 'bytes') add(lists, place!, index)
    else if (channel !== undefined) add(channels, channel, index)
    else {
      const known = kind ? alone.numbers : alone.texts
      if (!known.has(text)) {
        const spans = kind ? find(text, true) : findSpans(text, find, across)
        known.set(text, replaceSpans(text, spans))
      }
      replaced[index] = known.get(text)!
    }
  }
  for (const [channel, indexes] of channels)
    replaceJoined(indexes, (texts) => replaceInStream(texts, channel, find, across))
  for (const indexes of lists.values())
    replaceJoined(indexes, (texts) => spreadSpans(texts, orderSpans(findBytes!(texts.join('')))))
  return replaced

  function add(joined: Map<string, number[]>, key: string, index: number): void {
    const indexes = joined.get(key)
    if (indexes) indexes.push(index)
    else joined.set(key, [index])
  }

  function replaceJoined(indexes: number[], replace: (texts: string[]) => string[]): void {
    const texts = indexes.map((index) => pieces[index]!.text)
    for (const [at, text] of replace(texts).entries()) replaced[indexes[at]!] = text
  }
}

/** Equal pieces are no parts of one text; pieces of an unknown wire format can be one or many texts. */
function replaceInStream(
  texts: string[],
  channel: Channel,
  find: FindSpans,
  across: FindAcross | undefined,
): string[] {
  const alone = (): TextSpan[][] => texts.map((text) => findSpans(text, find, across))
  const known = isInPieces(channel)
  if (!known && texts.every((text) => text === texts[0]))
    return alone().map((spans, index) => replaceSpans(texts[index]!, spans))
  const joined = texts.join('')
  const whole = findSpans(joined, find, across)
  if (known || isJsonText(joined)) return spreadSpans(texts, whole)
  let offset = 0
  const within = alone().flatMap((spans, index) => {
    const start = offset
    offset += texts[index]!.length
    return spans.map((span) => ({ ...span, start: start + span.start, end: start + span.end }))
  })
  const free = within.filter((span) => whole.every((other) => isApart(span, other)))
  return spreadSpans(texts, orderSpans([...whole, ...free]))
}
