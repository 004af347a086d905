import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { linesOf } from './text-lines.ts'

/** A shorter text stands twice, once for people. */
const MIN_TEXT = 80

/** Pieces of the text that people read which are a text of the request. */
export interface SharedPieces {
  text: string
  from: number
  count: number
}

/**
 * Cuts what people read of a prompt into pieces, so that the long texts which the request sends are pieces of their own and
 * can be referred to: instructions between the names of their roles, for instance. `undefined` where there are none.
 *
 * @param isKnown whether a text stands somewhere already
 */
export function cutPrompt(
  shown: string,
  body: JsonValue,
  isKnown: (text: string) => boolean,
): { pieces: string[]; shared: SharedPieces[] } | undefined {
  const found: Array<{ text: string; start: number }> = []
  for (const text of longTexts(body)) {
    // Most texts of a long conversation are of earlier turns, and pictures are never shown.
    const start = text.length < shown.length ? shown.indexOf(text) : -1
    if (start >= 0 && !isKnown(text)) found.push({ text, start })
  }
  if (found.length === 0) return undefined
  const pieces: string[] = []
  const shared: SharedPieces[] = []
  let end = 0
  for (const { text, start } of found.sort((one, other) => one.start - other.start)) {
    // One that begins inside of another stands for itself.
    if (start < end) continue
    if (start > end) pieces.push(...linesOf(shown.slice(end, start)))
    const lines = linesOf(text)
    shared.push({ text, from: pieces.length, count: lines.length })
    pieces.push(...lines)
    end = start + text.length
  }
  if (end < shown.length) pieces.push(...linesOf(shown.slice(end)))
  return { pieces, shared }
}

function* longTexts(value: JsonValue): Generator<string> {
  if (typeof value === 'string') {
    if (value.length >= MIN_TEXT) yield value
  } else if (Array.isArray(value)) for (const item of value) yield* longTexts(item)
  else if (isJsonObject(value)) for (const child of Object.values(value)) yield* longTexts(child)
}
