import { tryParseJson } from './json-value.ts'
import { jsonTokens } from './json-tokens.ts'
import {
  markedNumber,
  orderSpans,
  replaceSpans,
  type FindSpans,
  type TextSpan,
} from './text-span.ts'

const ESCAPE = /\\(?:u[\da-fA-F]{4}|.)/g

/**
 * Finds spans in a text. In one that is a JSON object or array, what is looked at is each text and
 * number that it holds, also where these are JSON again; places are those of the outer text, and what
 * is put there is spelled so that the JSON stays whole. In order, none over another.
 */
export function findSpans(text: string, find: FindSpans): TextSpan[] {
  return orderSpans(isJsonText(text) ? findInScalars(text, find) : find(text))
}

/** How a number is spelled after a replacement: as a number where it still is one, otherwise as a text. */
export function spellNumber(replaced: string): string {
  const isNumber = /^-?\d/.test(replaced) && tryParseJson(replaced) !== undefined
  return isNumber ? replaced : JSON.stringify(replaced)
}

/** True for a text that spells a JSON object or array. */
export function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  return typeof tryParseJson(text) === 'object'
}

function findInScalars(json: string, find: FindSpans): TextSpan[] {
  const found: TextSpan[] = []
  for (const { token, index } of jsonTokens(json)) {
    if (token.startsWith('"'))
      for (const span of findInLiteral(token, index, find)) found.push(span)
    else if (/^[-\d]/.test(token)) {
      const text = replaceSpans(token, find(token, true))
      if (text !== token)
        found.push({ start: index, end: index + token.length, text: spellNumber(text) })
    }
  }
  return found
}

function findInLiteral(literal: string, offset: number, find: FindSpans): TextSpan[] {
  const spans = findSpans(JSON.parse(literal) as string, find)
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

/** Where each character of a text stands in the JSON that spells it. */
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
