import { findSpans, isJsonText, spellNumber } from '../json/find-in-json.ts'
import {
  isJsonObject,
  isRawNumber,
  parseJson,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts'
import { writeJson } from '../json/layout.ts'
import {
  markedNumber,
  orderSpans,
  replaceSpans,
  type FindSpans,
  type TextSpan,
} from '../json/text-span.ts'
import type { Frame } from './amazon-frames.ts'
import type { Body } from './body.ts'
import { fieldsOf, withData, type StreamEvent, type StreamLayout } from './event-stream.ts'
import type { JsonLine } from './json-lines.ts'
import {
  channelInside,
  channelOfEvent,
  channelOfItem,
  isInPieces,
  type Channel,
} from './text-channel.ts'

/** Gives the new text of one; a text with a channel is a piece of what streams there. */
type MapText = (text: string, channel?: Channel, isNumber?: boolean) => string

/**
 * Replaces what `find` finds in all texts that a body carries: string values and keys, numbers, and the
 * texts inside JSON that is itself carried as a text. A text that streams in pieces over many events is
 * given to `find` as the whole it makes; where something that is replaced lies in several pieces, the
 * first takes all of the new text. Events keep their number and order, and a body in which nothing is
 * found is returned as it is. Bytes that are no text are left alone.
 *
 * @param find gets each whole text, and tells what is to be replaced in it
 */
export function replaceTexts(body: Body, find: FindSpans): Body {
  const pieces: Piece[] = []
  mapBody(body, (text, channel, isNumber = false) => {
    pieces.push({ text, channel, isNumber })
    return text
  })
  const replaced = replacePieces(pieces, find)
  if (pieces.every((piece, index) => piece.text === replaced[index])) return body
  let next = 0
  return mapBody(body, () => replaced[next++]!)
}

interface Piece {
  text: string
  channel?: Channel
  isNumber: boolean
}

function replacePieces(pieces: readonly Piece[], find: FindSpans): string[] {
  const replaced: string[] = []
  const alone = { texts: new Map<string, string>(), numbers: new Map<string, string>() }
  const channels = new Map<Channel, number[]>()
  for (const [index, { text, channel, isNumber }] of pieces.entries()) {
    if (channel === undefined) {
      const known = isNumber ? alone.numbers : alone.texts
      if (!known.has(text)) {
        const spans = isNumber ? find(text, true) : findSpans(text, find)
        known.set(text, replaceSpans(text, spans))
      }
      replaced[index] = known.get(text)!
      continue
    }
    const indexes = channels.get(channel)
    if (indexes) indexes.push(index)
    else channels.set(channel, [index])
  }
  for (const [channel, indexes] of channels) {
    const texts = indexes.map((index) => pieces[index]!.text)
    for (const [at, text] of replaceInStream(texts, channel, find).entries())
      replaced[indexes[at]!] = text
  }
  return replaced
}

/** What repeats is no text in pieces; what no wire format is known for can be one or many texts. */
function replaceInStream(texts: string[], channel: Channel, find: FindSpans): string[] {
  const alone = (): TextSpan[][] => texts.map((text) => findSpans(text, find))
  const known = isInPieces(channel)
  if (!known && texts.every((text) => text === texts[0]))
    return alone().map((spans, index) => replaceSpans(texts[index]!, spans))
  const joined = texts.join('')
  const whole = findSpans(joined, find)
  if (known || isJsonText(joined)) return spread(texts, whole)
  let offset = 0
  const within = alone().flatMap((spans, index) => {
    const start = offset
    offset += texts[index]!.length
    return spans.map((span) => ({ ...span, start: start + span.start, end: start + span.end }))
  })
  const free = within.filter((span) => whole.every((other) => isApart(span, other)))
  return spread(texts, orderSpans([...whole, ...free]))
}

function isApart(one: TextSpan, other: TextSpan): boolean {
  return one.end <= other.start || other.end <= one.start
}

/** Replaces spans of a whole text in the pieces that it came in. */
function spread(texts: string[], spans: TextSpan[]): string[] {
  if (spans.length === 0) return texts
  let start = 0
  let first = 0
  return texts.map((text) => {
    const end = start + text.length
    let at = start
    let replaced = ''
    while (first < spans.length && spans[first]!.end <= start) first++
    for (let next = first; next < spans.length && spans[next]!.start < end; next++) {
      const span = spans[next]!
      if (span.start >= start) replaced += text.slice(at - start, span.start - start) + span.text
      at = span.end
    }
    replaced += text.slice(at - start)
    start = end
    return replaced
  })
}

function mapBody(body: Body, map: MapText): Body {
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
      return { ...body, parts: body.parts.map((part) => mapObject(part, map)) }
    default:
      return body
  }
}

function mapRoot(value: JsonValue, map: MapText): JsonValue {
  if (!isAnswerList(value)) return mapValue(value, map)
  return value.map((item) => mapValue(item, map, channelOfEvent(undefined, item)))
}

/** A list of answers whose spelling had to be kept as a text is spelled anew where it changed. */
function mapText(text: string, map: MapText): string {
  const value = text.startsWith('[') ? tryParseJson(text) : undefined
  return isAnswerList(value) ? writeJson(mapRoot(value, map), { indent: 2 }) : map(text)
}

/** A list of Gemini's answers is a stream that was not sent as events. */
function isAnswerList(value: JsonValue | undefined): value is JsonObject[] {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && 'candidates' in item)
}

function mapEvent(event: StreamEvent, layout: StreamLayout, map: MapText): StreamEvent {
  const { event: name, data } = typeof event === 'string' ? fieldsOf(event) : event
  if (data === undefined) return event
  const mapped = mapData(data, name, map)
  return mapped === data ? event : withData(event, mapped, layout)
}

function mapLine(line: JsonLine, map: MapText): JsonLine {
  if (typeof line !== 'string') return mapData(line, undefined, map) as JsonObject
  const text = line.trimEnd()
  const mapped = mapData(text, undefined, map) as string
  return mapped === text ? line : mapped + line.slice(text.length)
}

function mapFrame(frame: Frame, map: MapText): Frame {
  if ('bytes' in frame) return frame
  const name = 'event' in frame ? frame.event : frame.headers[':exception-type']
  const data = mapData(frame.data, name, map)
  if (!('chunk' in frame) || frame.chunk === undefined) return { ...frame, data }
  return { ...frame, data, chunk: mapData(frame.chunk, name, map) }
}

/** What one event carries. JSON that had to be kept as a text is one again, spelled anew only where it changed. */
function mapData(data: JsonValue, name: string | undefined, map: MapText): JsonValue {
  const value = typeof data === 'string' ? tryParseJson(data) : data
  if (!isJsonObject(value)) return typeof data === 'string' ? map(data, `${name ?? ''}.data`) : data
  const mapped = mapObject(value, map, channelOfEvent(name, value))
  if (typeof data !== 'string') return mapped
  return mapped === value ? data : writeJson(mapped)
}

function mapValue(value: JsonValue, map: MapText, channel?: Channel): JsonValue {
  if (typeof value === 'string') {
    const mapped = map(value, channel)
    const number = markedNumber(mapped)
    return number === undefined ? mapped : parseJson(number)
  }
  if (typeof value === 'number' || isRawNumber(value)) {
    const source = JSON.stringify(value)
    const mapped = map(source, undefined, true)
    return mapped === source ? value : parseJson(spellNumber(mapped))
  }
  if (Array.isArray(value)) {
    const items = value.map((item, position) =>
      mapValue(item, map, channel && channelOfItem(channel, item, position)),
    )
    return items.every((item, position) => item === value[position]) ? value : items
  }
  return isJsonObject(value) ? mapObject(value, map, channel) : value
}

/** The same object where nothing in it changed. */
function mapObject(value: JsonObject, map: MapText, channel?: Channel): JsonObject {
  const inside = channel && channelInside(channel, value)
  const before = Object.entries(value)
  const after = before.map(([key, child]): [string, JsonValue] => [
    map(key),
    mapValue(child, map, inside && `${inside}.${key}`),
  ])
  const same = after.every(([key, child], index) => {
    const [oldKey, oldChild] = before[index]!
    return key === oldKey && child === oldChild
  })
  return same ? value : Object.fromEntries(after)
}
