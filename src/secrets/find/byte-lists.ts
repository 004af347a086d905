import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { writeJson } from '../../json/layout.ts'
import { placeBelow } from '../../json/read-as-one.ts'
import { orderSpans, type FindSpans } from '../../json/text-span.ts'
import { textOf, type Body } from '../../wire/body.ts'
import { fieldsOf, withData, type StreamEvent, type StreamLayout } from '../../wire/event-stream.ts'
import { spread } from '../../wire/replace-texts.ts'
import { textsIn } from './picture-texts.ts'

/** Numbers of bytes in a row, as a program prints them; no credential is shorter. */
const PRINTED = /(?<![\w.,-])\d{1,3}(?:,\s{0,8}\d{1,3}){7,}(?![\w.-])/g

/** The beginning of a `Uint8Array` as JSON writes it, in texts inside of texts too. */
const TYPED = /"0\\{0,16}":\d{1,3},/

/** The beginning of a list of bytes in JSON, also of a short one, and in texts inside of texts. */
const MAY_HOLD = /(?:\[|"0\\{0,16}":)(?:\s|\\{1,16}[nrt])*\d{1,3}(?:\s|\\{1,16}[nrt])*[,\]}]/

/** A cheap check of a request, as it is sent: if it is false, no long list of bytes stands in it. */
export function mayHoldBytes(text: string): boolean {
  return text.search(PRINTED) >= 0 || TYPED.test(text)
}

/** Numbers of bytes in a row, however a program prints them: `[115, 107]`, `{0x73, 0x6b}`, `115 107`, `{"0":115,"1":107}`. */
const ROW =
  /(?<![\w.,-])(?:"\d{1,4}":\s?)?(?:0x[0-9a-f]{1,2}|\d{1,3})(?:[,\s]{1,9}(?:"\d{1,4}":\s?)?(?:0x[0-9a-f]{1,2}|\d{1,3})){15,}(?![\w.-])/gi

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

/** A list of bytes that a text prints, what it says with a character for each, and what stands between two numbers. */
interface PrintedBytes {
  start: number
  end: number
  said: string
  between: string
}

/** The lists of bytes that a text prints with commas. */
export function printedBytes(text: string): PrintedBytes[] {
  return Array.from(text.matchAll(PRINTED)).flatMap(({ 0: list, index: start }) => {
    const numbers = list.split(/,\s*/).map(Number)
    const [between = ','] = /,\s*/.exec(list) ?? []
    const end = start + list.length
    return numbers.every(isByte) ? [{ start, end, said: textOfBytes(numbers), between }] : []
  })
}

/** A list of bytes as the text that they say, one character for each. */
type MapBytes = (said: string, place: string) => string

/**
 * The texts that lists of bytes in a body say, by their place, as texts are read as one: a `Buffer` in JSON, the bytes
 * of tokens in `logprobs`.
 */
export function bytesIn(body: Body): Map<string, string[]> {
  const lists = new Map<string, string[]>()
  // To write the events of a stream takes longer than to look at them.
  if (body.kind === 'events' || MAY_HOLD.test(textOf(body)))
    mapBody(body, (said, place) => {
      if (!lists.get(place)?.push(said)) lists.set(place, [said])
      return said
    })
  return lists
}

/** Replaces what stands in lists of bytes. */
export function replaceBytes(body: Body, find: FindSpans): Body {
  let isFound = false
  const replaced = new Map<string, Iterator<string>>()
  for (const [place, texts] of bytesIn(body)) {
    const spans = orderSpans(find(texts.join('')))
    isFound ||= spans.length > 0
    replaced.set(place, spread(texts, spans).values())
  }
  if (!isFound) return body
  return mapBody(body, (_, place) => replaced.get(place)!.next().value as string)
}

function mapBody(body: Body, map: MapBytes): Body {
  const mapIn = (value: JsonValue): JsonValue => mapValue(value, '')
  switch (body.kind) {
    case 'json':
      return { ...body, value: mapIn(body.value) }
    case 'events':
      return { ...body, events: body.events.map((event) => mapEvent(event, body.layout, mapIn)) }
    case 'lines':
      return { ...body, lines: body.lines.map((line) => mapIn(line) as typeof line) }
    default:
      return body
  }

  function mapValue(value: JsonValue, place: string): JsonValue {
    if (typeof value === 'string') return mapObject(value, mapIn) ?? value
    if (Array.isArray(value)) {
      if (value.length === 0 || !value.every(isByte))
        return value.map((item) => mapValue(item, place))
      const said = textOfBytes(value)
      const mapped = map(said, place)
      return mapped === said ? value : bytesOf(mapped)
    }
    if (!isJsonObject(value)) return value
    if (isTypedArray(value)) {
      const said = textOfBytes(Object.values(value) as number[])
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
  const mapped = map(data)
  return mapped === data ? event : withData(event, mapped, layout)
}

/** A JSON object that had to be kept as a text, spelled anew only if it changed; `undefined` for any other text. */
function mapObject(text: string, map: (value: JsonValue) => JsonValue): string | undefined {
  const value = /^\s*\{/.test(text) ? tryParseJson(text) : undefined
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

function textOfBytes(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('latin1')
}

export function bytesOf(text: string): number[] {
  return [...Buffer.from(text, 'latin1')]
}
