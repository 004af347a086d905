import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { fold } from '../json/walk.ts'
import { findSpans, isJsonText } from '../json/find-in-json.ts'
import { findAcross, type FindAcross, placeBelow, type PlacedText } from '../json/read-as-one.ts'
import {
  isApart,
  orderSpans,
  replaceSpans,
  type FindSpans,
  type TextSpan,
} from '../json/text-span.ts'
import type { Body } from './body.ts'
import {
  type Channel,
  isAnswerList,
  isByte,
  isInPieces,
  isTypedArray,
  type MapText,
  mapTexts,
} from './map-texts.ts'

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
  if (body.kind === 'json' && !isAnswerList(body.value)) return readJsonTexts(body.value, readers)
  const pieces = piecesOf(body, true)
  for (const { text, kind, channel } of pieces)
    if (!kind) readers.piece(text, channel !== undefined)
  const none = (read: (text: string) => void) => (text: string) => (read(text), [])
  const across: FindAcross = (texts) => (readers.across(texts), [])
  replaceIn(pieces, none(readers.text), across, none(readers.bytes))
}

/** Most bodies are JSON in which nothing streams: they are read without a copy. */
function readJsonTexts(root: JsonValue, readers: Readers): void {
  const placed: PlacedText[] = []
  const alone = new Set<string>()
  const lists = new Map<string, string>()

  function read(text: string): void {
    if (alone.has(text)) return
    alone.add(text)
    readers.piece(text, false)
  }

  function readBytes(bytes: number[], place: string): void {
    const said = Buffer.from(bytes).toString('latin1')
    lists.set(place, (lists.get(place) ?? '') + said)
  }

  fold(root, '', (value, place, inside): void => {
    if (typeof value === 'string') {
      read(value)
      placed.push({ text: value, place })
    } else if (Array.isArray(value)) {
      if (value.length > 0 && value.every(isByte)) readBytes(value as number[], place)
      else for (const item of value) inside(item, place)
    } else if (isJsonObject(value)) {
      if (isTypedArray(value)) return readBytes(Object.values(value) as number[], place)
      for (const [key, child] of Object.entries(value)) {
        read(key)
        inside(child, placeBelow(place, key))
      }
    }
  })
  const across: FindAcross = (texts) => (readers.across(texts), [])
  for (const text of alone) findSpans(text, () => [], across)
  for (const said of lists.values()) readers.bytes(said)
  findAcross(placed, across)
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
    replaceJoined(indexes, (texts) => spread(texts, orderSpans(findBytes!(texts.join('')))))
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

/**
 * Replaces spans of a whole text in its pieces. The new text of a span is in the piece in which the span begins; a text
 * that is added between two pieces continues the first of them.
 */
export function spread(texts: string[], spans: TextSpan[]): string[] {
  if (spans.length === 0) return texts
  let start = 0
  let next = 0
  return texts.map((text, index) => {
    const end = start + text.length
    const isLast = index === texts.length - 1
    // A span of an earlier piece can reach into this one.
    let at = Math.max(start, next > 0 ? spans[next - 1]!.end : 0)
    let replaced = ''
    for (let span = spans[next]; span && isIn(span); span = spans[++next]) {
      replaced += text.slice(at - start, span.start - start) + span.text
      at = span.end
    }
    replaced += text.slice(at - start)
    start = end
    return replaced

    function isIn(span: TextSpan): boolean {
      if (span.start !== end) return span.start < end
      return isLast || (span.end === end && text !== '')
    }
  })
}
