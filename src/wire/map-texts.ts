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
import type { JsonLine } from './json-lines.ts'
import { channelInside, channelOfEvent, channelOfItem, type Channel } from './text-channel.ts'

/** Gives the new text of one; a text with a channel is a piece of what streams there, and a key has no place. */
export type MapText = (
  text: string,
  place?: string,
  channel?: Channel,
  isNumber?: boolean,
) => string

/** The same body with other texts: string values and keys, and numbers as they are spelled, each asked for in order. */
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

/** The same object where nothing in it changed. */
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
