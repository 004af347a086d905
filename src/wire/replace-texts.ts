import { findSpans, isJsonText } from '../json/find-in-json.ts'
import { findAcross, type FindAcross } from '../json/read-as-one.ts'
import {
  isApart,
  orderSpans,
  replaceSpans,
  type FindSpans,
  type TextSpan,
} from '../json/text-span.ts'
import type { Body } from './body.ts'
import { type Channel, isInPieces, mapTexts } from './map-texts.ts'

/**
 * Replaces the spans that `find` returns in all texts of a body: string values and keys, numbers, and the texts inside
 * JSON that is itself a text. A text that streams in pieces over many events is given to `find` as a whole; if a span
 * lies in several pieces, the first one takes all of the new text. Events keep their number and order, and a body
 * without a span is returned as it is. Bytes that are no text are left alone. Answers are bound to a run by this where
 * they are replayed, never in the cassette.
 *
 * @param find gets each whole text, and returns the spans to replace in it
 * @param across gets texts that are read as one, and returns the spans that lie in several of them
 */
export function replaceTexts(body: Body, find: FindSpans, across?: FindAcross): Body {
  const pieces: Piece[] = []
  mapTexts(body, (text, place, channel, isNumber = false) => {
    pieces.push({ text, place, channel, isNumber })
    return text
  })
  const each = replacePieces(pieces, find, across)
  const replaced = across ? replaceAcross(pieces, each, across) : each
  if (pieces.every((piece, index) => piece.text === replaced[index])) return body
  let next = 0
  return mapTexts(body, () => replaced[next++]!)
}

interface Piece {
  text: string
  place?: string
  channel?: Channel
  isNumber: boolean
}

function replaceAcross(pieces: readonly Piece[], texts: string[], across: FindAcross): string[] {
  const placed = pieces.flatMap(({ place, isNumber }, index) =>
    place === undefined || isNumber ? [] : [{ index, place, text: texts[index]! }],
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
  across: FindAcross | undefined,
): string[] {
  const replaced: string[] = []
  const alone = { texts: new Map<string, string>(), numbers: new Map<string, string>() }
  const channels = new Map<Channel, number[]>()
  for (const [index, { text, channel, isNumber }] of pieces.entries()) {
    if (channel === undefined) {
      const known = isNumber ? alone.numbers : alone.texts
      if (!known.has(text)) {
        const spans = isNumber ? find(text, true) : findSpans(text, find, across)
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
    for (const [at, text] of replaceInStream(texts, channel, find, across).entries())
      replaced[indexes[at]!] = text
  }
  return replaced
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
