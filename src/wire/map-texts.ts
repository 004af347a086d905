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
import { spellNumber } from '../json/find-in-json.ts'
import { writeJson } from '../json/layout.ts'
import { placeBelow } from '../json/read-as-one.ts'
import { markedNumber } from '../json/text-span.ts'
import type { Frame } from './amazon-frames.ts'
import type { Body } from './body.ts'
import { fieldsOf, type StreamEvent, type StreamLayout, withData } from './event-stream.ts'
import type { JsonLine } from './ndjson.ts'

/** Returns the new text for a text. A text with a channel is a piece of a streamed text; a key has no place. */
export interface MapText {
  (text: string, place?: string, channel?: Channel, isNumber?: boolean): string
  /** Maps a list of bytes as the text that it says, one character for each; without it, each is a number. */
  bytes?: (said: string, place: string) => string
}

/** A line of an event that is no data: its field with the colon, if it has one, and its value. */
const OTHER_LINE = /^(?!data(?::|$))([^:\r\n]*: ?)?(.+)$/gm

const HAS_DATA = /^data/m

/** The place of names, ids and comments of events, which are read as one text too. */
const BESIDE_DATA = '.event'

/** Maps the texts of a body in their order: string values and keys, and numbers as they are spelled. */
export function mapTexts(body: Body, map: MapText): Body {
  switch (body.kind) {
    case 'json':
      return { ...body, value: mapRoot(body.value, map) }
    case 'text':
      return { ...body, text: mapText(body.text, map) }
    case 'events':
      return { ...body, events: body.events.map((event) => mapEvent(event, body.layout, map)) }
    case 'lines':
      return { ...body, lines: body.lines.map((line) => mapLine(line, map)) }
    case 'frames':
      return { ...body, frames: body.frames.map((frame) => mapFrame(frame, map)) }
    case 'form':
      return { ...body, parts: body.parts.map((part) => mapObject(part, map, '')) }
    default:
      return body
  }
}

function mapRoot(value: JsonValue, map: MapText): JsonValue {
  if (!isAnswerList(value)) return mapValue(value, map, '')
  return value.map((item) => mapValue(item, map, '', channelOfEvent(undefined, item)))
}

/** Maps a text. A list of answers whose spelling had to be kept as a text is spelled anew. */
function mapText(text: string, map: MapText): string {
  const value = text.startsWith('[') ? tryParseJson(text) : undefined
  return isAnswerList(value) ? writeJson(mapRoot(value, map), { indent: 2 }) : map(text)
}

/** Whether a value is a list of Gemini's answers: a stream that was not sent as events. */
export function isAnswerList(value: JsonValue | undefined): value is JsonObject[] {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && 'candidates' in item)
}

/** Maps every line of an event. A block with the data of several events, or of none, is one text. */
function mapEvent(event: StreamEvent, layout: StreamLayout, map: MapText): StreamEvent {
  if (typeof event !== 'string') {
    const { event: name, data } = event
    const named = name === undefined ? undefined : map(name, BESIDE_DATA)
    const mapped = mapData(data, name, map)
    const renamed = named === name ? event : { ...event, event: named }
    return mapped === data ? renamed : withData(renamed, mapped, layout)
  }
  const { event: name, data } = fieldsOf(event)
  if (data === undefined && HAS_DATA.test(event)) return map(event, BESIDE_DATA)
  const block = mapOtherLines(event, map)
  const mapped = data === undefined ? data : mapData(data, name, map)
  return mapped === undefined || mapped === data ? block : withData(block, mapped, layout)
}

/** The lines of a block without its data: comments, and the fields `event`, `id`, `retry` and unknown ones. */
function mapOtherLines(block: string, map: MapText): string {
  return block.replaceAll(
    OTHER_LINE,
    (_, field: string = '', value: string) => field + map(value, BESIDE_DATA),
  )
}

function mapLine(line: JsonLine, map: MapText): JsonLine {
  if (typeof line !== 'string') return mapData(line, undefined, map) as JsonObject
  const text = line.trimEnd()
  const mapped = mapData(text, undefined, map) as string
  return mapped === text ? line : mapped + line.slice(text.length)
}

function mapFrame(frame: Frame, map: MapText): Frame {
  if ('bytes' in frame) return mapBytes(frame, map)
  const name = 'event' in frame ? frame.event : frame.headers[':exception-type']
  const head =
    'event' in frame
      ? { event: map(frame.event, BESIDE_DATA) }
      : { headers: mapObject(frame.headers, map, '.headers') as Record<string, string> }
  const data = mapData(frame.data, name, map)
  if (!('chunk' in frame) || frame.chunk === undefined) return { ...frame, ...head, data } as Frame
  return { ...frame, ...head, data, chunk: mapData(frame.chunk, name, map) } as Frame
}

/** A frame that could not be read, with each byte as a character. */
function mapBytes(frame: { bytes: string }, map: MapText): Frame {
  const text = Buffer.from(frame.bytes, 'base64').toString('latin1')
  const mapped = map(text, '.bytes')
  return mapped === text ? frame : { bytes: Buffer.from(mapped, 'latin1').toString('base64') }
}

/** Maps the data of one event. JSON that had to be kept as a text is parsed, and spelled anew only if it changed. */
function mapData(data: JsonValue, name: string | undefined, map: MapText): JsonValue {
  const value = typeof data === 'string' ? tryParseJson(data) : data
  if (!isJsonObject(value))
    return typeof data === 'string'
      ? map(data, '.data', `${name ?? ''}.data`)
      : mapValue(data, map, '.data')
  const mapped = mapObject(
    value,
    map,
    typeof value.type === 'string' ? value.type : '',
    channelOfEvent(name, value),
  )
  if (typeof data !== 'string') return mapped
  return mapped === value ? data : writeJson(mapped)
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

/** Returns the same object if nothing in it changed. */
function mapObject(value: JsonObject, map: MapText, place: string, channel?: Channel): JsonObject {
  return mapValue(value, map, place, channel) as JsonObject
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
export function isTypedArray(value: JsonObject): boolean {
  return (
    '0' in value &&
    Object.entries(value).every(([key, item], at) => Number(key) === at && isByte(item))
  )
}

/** True for a number of a list of bytes. */
export function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256
}

/** The key of one text of a stream: pieces on one channel are one text. */
export type Channel = string

/** Fields that hold a piece of a text in one of the wire formats; in a stream, the next event continues it. */
export const PIECE_FIELDS: ReadonlySet<string> = new Set([
  'arguments',
  'completion',
  'content',
  'data',
  'delta',
  'generation',
  'input',
  'inputTextDelta',
  'outputText',
  'partial_json',
  'reasoning',
  'reasoning_content',
  'reasoningText',
  'refusal',
  'response',
  'text',
  'textDelta',
  'thinking',
  'transcript',
])

/** Fields that number the parts that stream at the same time: choices, content blocks, tool calls. */
export const PART_NUMBER: RegExp = /(?:^i|_i|I)ndex$/

/** Beside these, an index counts the pieces themselves: Hugging Face, Titan. */
export const COUNTED_PIECES: readonly string[] = ['token', 'outputText']

/** The channel of an event: by its name, its type, and by its id where types have one. */
export function channelOfEvent(name: string | undefined, data: JsonObject): Channel {
  const type = data.type ?? data.event_type
  // Vercel tells texts that stream at the same time by an id; elsewhere an id is that of the answer.
  const id = typeof data.type === 'string' && typeof data.id === 'string' ? data.id : ''
  return `${name ?? ''} ${typeof type === 'string' ? type : ''} ${id}`
}

/** The channel inside an object, with the number of the part that streams. */
export function channelInside(channel: Channel, owner: JsonObject): Channel {
  if (COUNTED_PIECES.some((field) => field in owner) || isBlockOfNova(owner)) return channel
  let inside = channel
  for (const key of Object.keys(owner)) {
    if (typeof owner[key] === 'number' && PART_NUMBER.test(key)) inside += `#${owner[key]}`
  }
  // Gemini sends thoughts and text at one place, one after the other.
  return owner.thought === true ? `${inside} thought` : inside
}

/** Amazon's Nova makes a block of its own of every piece of a text; Bedrock's blocks never interleave. */
function isBlockOfNova({ contentBlockIndex, delta }: JsonObject): boolean {
  return contentBlockIndex !== undefined && isJsonObject(delta) && typeof delta.text === 'string'
}

/** The channel of an item of a list. If items are numbered, their place in one event means nothing. */
export function channelOfItem(channel: Channel, item: unknown, position: number): Channel {
  const numbered = typeof item === 'object' && item !== null && 'index' in item
  return numbered ? `${channel}[]` : `${channel}[${position}]`
}

/** True for channels whose pieces are known to be parts of one text, and none a text of its own. */
export function isInPieces(channel: Channel): boolean {
  return PIECE_FIELDS.has(channel.slice(channel.lastIndexOf('.') + 1))
}
