import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { linesOf } from './text-lines.ts'

/** A shorter text is stored twice, in the prompt for people and in the request. */
const MIN_TEXT = 80

/** Consecutive pieces of the readable text that together are one text of the request. */
export interface SharedPieces {
  text: string
  from: number
  count: number
}

/**
 * Cuts the readable text of a prompt into pieces, so that each long text of the request has pieces of its own and can
 * refer to them: instructions between the names of their roles, for instance. `undefined` if it holds no such text.
 *
 * @param isKnown whether a text is stored already
 */
export function cutPrompt(
  shown: string,
  body: JsonValue,
  isKnown: (text: string) => boolean,
): { pieces: string[]; shared: SharedPieces[] } | undefined {
  const found: Array<{ text: string; start: number }> = []
  for (const text of longTexts(body)) {
    // Most texts are not found: they belong to earlier turns, or are pictures, which are never shown.
    const start = text.length < shown.length ? shown.indexOf(text) : -1
    if (start >= 0 && !isKnown(text)) found.push({ text, start })
  }
  if (found.length === 0) return undefined
  const pieces: string[] = []
  const shared: SharedPieces[] = []
  let end = 0
  for (const { text, start } of found.sort((one, other) => one.start - other.start)) {
    // A text that begins inside another is stored twice.
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
