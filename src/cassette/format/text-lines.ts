import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { unwrapReserved, wrapReserved } from './reserved-keys.ts'

/** A text in pieces, as a rule its lines with their ends: `{ "$text": ["one\n", "two"] }`. */
export interface StoredText {
  $text: string[]
}

/** An answer of a model from this length on is stored once, wherever it is repeated. */
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
export function readText(stored: string | StoredText): string {
  return typeof stored === 'string' ? stored : stored.$text.join('')
}

/** Stores every text of an already encoded value of a body line by line. */
export function storeTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storeText(value) as JsonValue
  if (Array.isArray(value)) return mapItems(value, storeTexts)
  return isJsonObject(value) ? mapFields(value, storeTexts) : value
}

/** The stored form of a readable value: its texts line by line. */
export function storeReadable(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storeText(value) as JsonValue
  if (Array.isArray(value)) return mapItems(value, storeReadable)
  return isJsonObject(value) ? wrapReserved(mapFields(value, storeReadable)) : value
}

/** Restores a readable value from its stored form. */
export function readReadable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return mapItems(value, readReadable)
  if (!isJsonObject(value)) return value
  const wrapped = unwrapReserved(value)
  if (!wrapped && isStoredText(value)) return value.$text.join('')
  return mapFields(wrapped ?? value, readReadable)
}

/** Whether a stored value is a text in pieces. */
export function isStoredText(value: unknown): value is StoredText {
  const pieces = isJsonObject(value) ? value.$text : undefined
  return Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string')
}

function mapItems(items: JsonValue[], change: (value: JsonValue) => JsonValue): JsonValue[] {
  const changed = items.map(change)
  return changed.every((item, index) => item === items[index]) ? items : changed
}

function mapFields(
  value: { [key: string]: JsonValue },
  change: (value: JsonValue) => JsonValue,
): { [key: string]: JsonValue } {
  const entries = Object.entries(value).map(([key, child]) => [key, change(child)] as const)
  // Built from entries, a key named `__proto__` is a key like any other.
  return entries.every(([key, child]) => child === value[key]) ? value : Object.fromEntries(entries)
}
