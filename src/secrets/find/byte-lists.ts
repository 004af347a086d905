import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { writeJson } from '../../json/layout.ts'
import { placeBelow } from '../../json/read-as-one.ts'
import { orderSpans, replaceSpans, type FindSpans, type TextSpan } from '../../json/text-span.ts'
import type { Body } from '../../wire/body.ts'
import { fieldsOf, withData, type StreamEvent, type StreamLayout } from '../../wire/event-stream.ts'
import { spread } from '../../wire/replace-texts.ts'
import { textsIn } from './picture-texts.ts'

/** Numbers of bytes in a row, as a program prints them; no credential is shorter. */
const PRINTED = /(?<![\w.,-])\d{1,3}(?:,\s{0,8}\d{1,3}){7,}(?![\w.-])/g

/** The beginning of a `Uint8Array` as JSON writes it, in texts inside of texts too. */
const TYPED = /"0\\{0,16}":\d{1,3},/

/** A cheap check: if it is false, no text that is printed has such numbers. */
export function mayHoldBytes(text: string): boolean {
  return text.search(PRINTED) >= 0 || TYPED.test(text)
}

/** Numbers of bytes in a row, however a program prints them: `[115, 107]`, `{0x73, 0x6b}`, `115 107`, `{"0":115,"1":107}`. */
const ROW =
  /(?<![\w.,-])(?:"\d{1,4}":\s?)?(?:0x[0-9a-f]{1,2}|\d{1,3})(?:[,\s]{1,8}(?:"\d{1,4}":\s?)?(?:0x[0-9a-f]{1,2}|\d{1,3})){15,}(?![\w.-])/gi

/** The texts that lists of bytes in a text say, and nothing of other numbers. */
export function bytesPrintedIn(text: string): string[] {
  return Array.from(text.matchAll(ROW)).flatMap(({ 0: row }) => {
    const numbers = row
      .replaceAll(/"\d+":/g, '')
      .match(/0x[0-9a-f]+|\d+/gi)!
      .map(Number)
    const said = numbers.every(isByte) ? textsIn(Buffer.from(numbers)) : ''
    return said === '' ? [] : [said]
  })
}

/** A list of bytes as the text that they say, one character for each. */
type MapBytes = (said: string, place: string) => string

/**
 * Replaces what stands in lists of bytes: in a `Buffer` in JSON, in the bytes of tokens in `logprobs`, and in lists that
 * a text prints. Lists of one place are read as one, as texts are.
 */
export function replaceBytes(body: Body, find: FindSpans): Body {
  const lists = new Map<string, string[]>()
  let isFound = false
  mapBody(
    body,
    (said, place) => {
      const known = lists.get(place)
      if (known) known.push(said)
      else lists.set(place, [said])
      return said
    },
    (text) => {
      isFound ||= findPrinted(text, find).length > 0
      return text
    },
  )
  const replaced = new Map<string, Iterator<string>>()
  for (const [place, texts] of lists) {
    const spans = orderSpans(find(texts.join('')))
    isFound ||= spans.length > 0
    replaced.set(place, spread(texts, spans).values())
  }
  if (!isFound) return body
  return mapBody(
    body,
    (_, place) => replaced.get(place)!.next().value as string,
    (text) => replaceSpans(text, findPrinted(text, find)),
  )
}

function findPrinted(text: string, find: FindSpans): TextSpan[] {
  return Array.from(text.matchAll(PRINTED)).flatMap(({ 0: list, index }) => {
    const numbers = list.split(/,\s*/).map(Number)
    if (!numbers.every(isByte)) return []
    const said = textOf(numbers)
    const replaced = replaceSpans(said, find(said))
    const [between = ','] = /,\s*/.exec(list) ?? []
    return replaced === said
      ? []
      : [{ start: index, end: index + list.length, text: bytesOf(replaced).join(between) }]
  })
}

function mapBody(body: Body, map: MapBytes, mapText: (text: string) => string): Body {
  const mapIn = (value: JsonValue): JsonValue => mapValue(value, '')
  switch (body.kind) {
    case 'json':
      return { ...body, value: mapIn(body.value) }
    case 'text':
      return { ...body, text: mapText(body.text) }
    case 'events':
      return { ...body, events: body.events.map((event) => mapEvent(event, body.layout, mapIn)) }
    case 'lines':
      return { ...body, lines: body.lines.map((line) => mapData(line, mapIn) as typeof line) }
    default:
      return body
  }

  function mapValue(value: JsonValue, place: string): JsonValue {
    if (typeof value === 'string')
      return mapText((value.startsWith('{') ? mapObject(value, mapIn) : undefined) ?? value)
    if (Array.isArray(value)) {
      if (value.length > 0 && value.every(isByte)) {
        const said = textOf(value)
        const mapped = map(said, place)
        return mapped === said ? value : bytesOf(mapped)
      }
      return value.map((item) => mapValue(item, place))
    }
    if (!isJsonObject(value)) return value
    if (isTypedArray(value)) {
      const said = textOf(Object.values(value) as number[])
      const mapped = map(said, place)
      return mapped === said ? value : { ...bytesOf(mapped) }
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, mapValue(child, placeBelow(place, key))]),
    )
  }
}

function mapEvent(
  event: StreamEvent,
  layout: StreamLayout,
  map: (value: JsonValue) => JsonValue,
): StreamEvent {
  const { data } = typeof event === 'string' ? fieldsOf(event) : event
  if (data === undefined) return event
  const mapped = mapData(data, map)
  return mapped === data ? event : withData(event, mapped, layout)
}

function mapData(data: JsonValue, map: (value: JsonValue) => JsonValue): JsonValue {
  return (typeof data === 'string' ? mapObject(data, map) : undefined) ?? map(data)
}

/** A JSON object that had to be kept as a text, spelled anew only if it changed; `undefined` for any other text. */
function mapObject(text: string, map: (value: JsonValue) => JsonValue): string | undefined {
  const value = tryParseJson(text)
  if (!isJsonObject(value)) return undefined
  const before = writeJson(value)
  const after = writeJson(map(value))
  return after === before ? text : after
}

/** True for a `Uint8Array` as JSON writes it: an object with its positions as keys. */
function isTypedArray(value: JsonObject): boolean {
  return (
    '0' in value &&
    Object.entries(value).every(([key, item], at) => Number(key) === at && isByte(item))
  )
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256
}

function textOf(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('latin1')
}

function bytesOf(text: string): number[] {
  return [...Buffer.from(text, 'latin1')]
}
