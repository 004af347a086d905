import { spellNumber } from '../json/find-in-json.ts'
import {
  isJsonObject,
  isRawNumber,
  parseJson,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts'
import { writeJson } from '../json/layout.ts'
import { placeBelow } from '../json/read-as-one.ts'
import { markedNumber } from '../json/text-span.ts'
import type { Frame } from './amazon-frames.ts'
import type { Body } from './body.ts'
import { fieldsOf, withData, type StreamEvent, type StreamLayout } from './event-stream.ts'
import type { JsonLine } from './ndjson.ts'
import { channelInside, channelOfEvent, channelOfItem, type Channel } from './text-channel.ts'

/** Returns the new text for a text. A text with a channel is a piece of a streamed text; a key has no place. */
export type MapText = (
  text: string,
  place?: string,
  channel?: Channel,
  isNumber?: boolean,
) => string

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

/** Maps the data of one event. JSON that had to be kept as a text is parsed, and spelled anew only if it changed. */
function mapData(data: JsonValue, name: string | undefined, map: MapText): JsonValue {
  const value = typeof data === 'string' ? tryParseJson(data) : data
  if (!isJsonObject(value))
    return typeof data === 'string' ? map(data, '.data', `${name ?? ''}.data`) : data
  const mapped = mapObject(
    value,
    map,
    typeof value.type === 'string' ? value.type : '',
    channelOfEvent(name, value),
  )
  if (typeof data !== 'string') return mapped
  return mapped === value ? data : writeJson(mapped)
}

function mapValue(value: JsonValue, map: MapText, place: string, channel?: Channel): JsonValue {
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
    const items = value.map((item, position) =>
      mapValue(item, map, place, channel && channelOfItem(channel, item, position)),
    )
    return items.every((item, position) => item === value[position]) ? value : items
  }
  return isJsonObject(value) ? mapObject(value, map, place, channel) : value
}

/** Returns the same object if nothing in it changed. */
function mapObject(value: JsonObject, map: MapText, place: string, channel?: Channel): JsonObject {
  const inside = channel && channelInside(channel, value)
  const before = Object.entries(value)
  const after = before.map(([key, child]): [string, JsonValue] => [
    map(key),
    mapValue(child, map, placeBelow(place, key), inside && `${inside}.${key}`),
  ])
  const same = after.every(([key, child], index) => {
    const [oldKey, oldChild] = before[index]!
    return key === oldKey && child === oldChild
  })
  return same ? value : Object.fromEntries(after)
}
