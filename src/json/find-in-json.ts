import { tryParseJson } from './json-value.ts'
import { jsonTokens } from './json-tokens.ts'
import { findAcross, placeBelow, type FindAcross, type PlacedText } from './read-as-one.ts'
import {
  markedNumber,
  orderSpans,
  replaceSpans,
  type FindSpans,
  type TextSpan,
} from './text-span.ts'

const ESCAPE = /\\(?:u[\da-fA-F]{4}|.)/g

/**
 * Finds spans in a text. In a JSON object or array, it searches each text and number, also where these are JSON
 * again; places refer to the outer text, and replacements are spelled so that the JSON stays valid. The spans are in
 * order and do not overlap.
 *
 * @param across gets the texts in it that are read as one, and returns the spans that lie in several of them
 */
export function findSpans(text: string, find: FindSpans, across?: FindAcross): TextSpan[] {
  return orderSpans(isJsonText(text) ? findInScalars(text, find, across) : find(text))
}

/** Spells a number after a replacement: as a number if it still is one, otherwise as a text. */
export function spellNumber(replaced: string): string {
  const isNumber = /^-?\d/.test(replaced) && tryParseJson(replaced) !== undefined
  return isNumber ? replaced : JSON.stringify(replaced)
}

/** True for a text that spells a JSON object or array. */
export function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  return typeof tryParseJson(text) === 'object'
}

/** A text in JSON, with its spelling and its place. */
interface Literal extends PlacedText {
  literal: string
  index: number
  taken: TextSpan[]
}

function findInScalars(json: string, find: FindSpans, across?: FindAcross): TextSpan[] {
  const found: TextSpan[] = []
  const literals: Literal[] = []
  for (const { token, index, place } of placedTokens(json)) {
    if (token.startsWith('"')) {
      const text = JSON.parse(token) as string
      const taken = findSpans(text, find, across)
      literals.push({ literal: token, index, text, place, taken })
    } else {
      const text = replaceSpans(token, find(token, true))
      if (text !== token)
        found.push({ start: index, end: index + token.length, text: spellNumber(text) })
    }
  }
  const shared = across ? findAcross(literals, across) : []
  for (const [at, literal] of literals.entries()) {
    const spans = [...literal.taken, ...(shared[at] ?? [])]
    for (const span of spellIn(literal, spans)) found.push(span)
  }
  return found
}

/** Yields keys, texts and numbers with their places. A key is read alone, so its place is unique. */
function* placedTokens(json: string): Generator<{ token: string; index: number; place: string }> {
  const outer: Array<{ place: string; isObject: boolean }> = []
  let [place, isObject, isKey] = ['', false, false]
  for (const { token, index } of jsonTokens(json)) {
    if (token === '{' || token === '[') {
      outer.push({ place, isObject })
      isObject = isKey = token === '{'
    } else if (token === '}' || token === ']') {
      const last = outer.pop()!
      place = last.place
      isObject = last.isObject
    } else if (token === ',') isKey = isObject
    else if (token.startsWith('"') && isKey) {
      isKey = false
      place = placeBelow(outer.at(-1)!.place, JSON.parse(token) as string)
      yield { token, index, place: `${place} key ${index}` }
    } else if (/^["\-\d]/.test(token)) yield { token, index, place }
  }
}

function spellIn({ literal, index: offset }: Literal, spans: readonly TextSpan[]): TextSpan[] {
  if (spans.length === 0) return []
  const number = markedNumber(spans[0]!.text)
  if (number !== undefined) return [{ start: offset, end: offset + literal.length, text: number }]
  const placeIn = placesIn(literal)
  return spans.map(({ start, end, text }) => ({
    start: offset + placeIn(start),
    end: offset + placeIn(end),
    text: JSON.stringify(text).slice(1, -1),
  }))
}

/** Maps a position in a text to its position in the JSON that spells it. */
function placesIn(literal: string): (position: number) => number {
  const escapes = [...literal.matchAll(ESCAPE)].map(({ 0: escape, index }) => ({
    place: index,
    longer: escape.length - 1,
  }))
  return (position) => {
    let place = position + 1
    for (const escape of escapes) {
      if (escape.place >= place) break
      place += escape.longer
    }
    return place
  }
}
