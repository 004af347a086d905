import { type JsonValue, tryParseJson, tryReadJson } from '../json/json-value.ts'
import { type JsonLayout, layoutOf, nearestLayout, writeJson } from '../json/layout.ts'
import { findJsonLines, type JsonLine, writeJsonLine } from './ndjson.ts'
import { type StreamEvent, type StreamLayout, writeEvent } from './write/event.ts'
import { type FormPart, formText } from './write/form.ts'
import { type Frame, frameText, writeFrame } from './write/frame.ts'

/**
 * A body in its most readable form that still gives back every byte. A body that fits no readable form is text, or
 * bytes if it is no text.
 */
export type Body =
  | { kind: 'empty' }
  | { kind: 'json'; value: JsonValue; layout: JsonLayout; asSent?: string }
  | { kind: 'events'; events: StreamEvent[]; layout: StreamLayout }
  | { kind: 'lines'; lines: JsonLine[]; layout: StreamLayout }
  | { kind: 'frames'; frames: Frame[] }
  | { kind: 'form'; parts: FormPart[] }
  | { kind: 'text'; text: string }
  | { kind: 'bytes'; bytes: Uint8Array }

/** The body that was read or written last, with its text, which is needed more than once. */
let last: LastBody | undefined

interface LastBody {
  body: Body
  text: string
  spelled?: boolean
  /** The text had white space that the body does not have. */
  isLossy?: boolean
}

/**
 * Reads a body that is known to be text.
 *
 * @param spelled false if the spelling does not matter; finding it takes as long as all the rest
 */
export function readText(text: string, spelled: boolean = true): Body {
  if (last?.spelled !== spelled || last.text !== text)
    last = { ...parseText(text, spelled), text, spelled }
  return last.body
}

function parseText(text: string, spelled: boolean): Pick<LastBody, 'body' | 'isLossy'> {
  const { value, isTwice } = tryReadJson(text) ?? {}
  // A bare string or number reads as well without the quotes of JSON.
  if (typeof value === 'object' && value !== null) {
    const exact = spelled ? layoutOf(text, value) : isTwice ? undefined : {}
    const layout = exact ?? (spelled ? nearestLayout(text, value) : undefined)
    if (!spelled) spellings.set(value, text)
    if (!layout) return { body: { kind: 'text', text } }
    return { body: { kind: 'json', value, layout }, isLossy: !exact }
  }
  const found = value === undefined ? findJsonLines(text) : undefined
  return { body: found ? { kind: 'lines', ...found } : { kind: 'text', text } }
}

/** The texts of JSON whose spelling was not looked for. */
const spellings = new WeakMap<object, string>()

/**
 * A request with the spelling in which it was sent: a layout, or its text where none gives that. A body in which
 * something was replaced has a layout alone.
 *
 * @param sent the body as it was sent
 */
export function asItWasSent(body: Body, sent: Body): Body {
  if (body.kind !== 'json' || sent.kind !== 'json') return body
  const text = spellings.get(sent.value as object)
  if (text === undefined) return body
  const layout = layoutOf(text, sent.value)
  if (layout) return { ...body, layout }
  return body.value === sent.value ? { ...body, asSent: text } : body
}

/** The length of the text of JSON whose spelling was not looked for; 0 for any other body. */
export function lengthOfText(body: Body): number {
  return body.kind === 'json' ? (spellings.get(body.value as object)?.length ?? 0) : 0
}

/** The bytes of a body, in the pieces in which a replay delivers them: an event, a line, a frame each. */
export function writeBody(body: Body): Uint8Array[] {
  switch (body.kind) {
    case 'empty':
      return []
    case 'bytes':
      return [body.bytes]
    case 'frames':
      return body.frames.map(writeFrame)
    case 'events':
      return body.events.map((event) => encodeText(writeEvent(event, body.layout)))
    case 'lines':
      return body.lines.map((line) => encodeText(writeJsonLine(line, body.layout)))
    default:
      return [encodeText(textOf(body))]
  }
}

/** The text of a body. Frames give their texts; bytes that are no text give an empty one. */
export function textOf(body: Body): string {
  if (last?.body === body && !last.isLossy) return last.text
  switch (body.kind) {
    case 'json':
      last = { body, text: body.asSent ?? writeJson(body.value, body.layout) }
      return last.text
    case 'text':
      return body.text
    case 'events':
      return body.events.map((event) => writeEvent(event, body.layout)).join('')
    case 'lines':
      return body.lines.map((line) => writeJsonLine(line, body.layout)).join('')
    case 'form':
      return formText(body.parts)
    case 'frames':
      return body.frames.map(frameText).filter(Boolean).join('\n')
    default:
      return ''
  }
}

/** The JSON value of a body, also where its spelling had to be kept as text. */
export function jsonOf(body: Body): JsonValue | undefined {
  if (body.kind === 'json') return body.value
  return body.kind === 'text' ? tryParseJson(body.text) : undefined
}

const encoder = new TextEncoder()

function encodeText(text: string): Uint8Array {
  return encoder.encode(text)
}
