import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { mapInside } from '../../json/map-inside.ts'
import { unwrapReserved, wrapReserved } from './reserved-keys.ts'

/** A text in pieces, as a rule its lines with their ends: `{ "$text": ["one\n", "two"] }`. */
export interface StoredText {
  $text: string[]
}

/** What a model answers, a text or the arguments of a call, is stored once from this length on, wherever it is repeated. */
export const MIN_ANSWER = 32

/** Shorter texts are readable on one line. */
const MIN_LINES = 80

/** The least mean length of a line. A text below it consists mostly of line ends, and nobody reads it. */
const MIN_MEAN = 4

/** The lines of a text, each with its end; the whole text as one if it consists mostly of line ends. */
export function linesOf(text: string): string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length
    lines.push(text.slice(start, end))
    start = end
    if (lines.length > 1_000 && start < lines.length * MIN_MEAN) return [text]
  }
  return lines
}

/** A text as a file holds it: line by line where it has several, so that one line is one line of the file. */
export function storeText(text: string): string | StoredText {
  if (text.length < MIN_LINES) return text
  const lines = linesOf(text)
  return lines.length > 1 ? { $text: lines } : text
}

/** The text of its stored form. */
export function restoreText(stored: string | StoredText): string {
  return typeof stored === 'string' ? stored : stored.$text.join('')
}

/** Stores every text of an already encoded value of a body line by line. */
export function storeTexts(value: JsonValue): JsonValue {
  return typeof value === 'string' ? (storeText(value) as JsonValue) : mapInside(value, storeTexts)
}

/** The stored form of a readable value: its texts line by line. */
export function storeReadable(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storeText(value) as JsonValue
  const stored = mapInside(value, storeReadable)
  return isJsonObject(stored) ? wrapReserved(stored) : stored
}

/** Restores a readable value from its stored form. */
export function restoreReadable(value: JsonValue): JsonValue {
  const wrapped = isJsonObject(value) ? unwrapReserved(value) : undefined
  if (!wrapped && isStoredText(value)) return value.$text.join('')
  return mapInside(wrapped ?? value, restoreReadable)
}

/** Whether a stored value is a text in pieces. */
export function isStoredText(value: unknown): value is StoredText {
  const pieces = isJsonObject(value) ? value.$text : undefined
  return Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string')
}
