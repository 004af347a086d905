import { jsonTokens, layOut } from './json-tokens.ts'
import type { JsonValue } from './json-value.ts'

/**
 * The spelling of JSON: a compact one where nothing is said. Kept so that a response is stored as a readable value, and
 * still replayed byte for byte.
 */
export interface JsonLayout {
  /** Spaces per level, 1 to 8, when every item has a line of its own. */
  indent?: number
  /** A space after each comma and colon, as Python writes. */
  spaced?: true
  /** Every UTF-16 unit from U+007F on escaped as `\\uXXXX`. */
  ascii?: true
  /** White space after the value. */
  end?: string
}

/** The most white space that a layout keeps after a value. */
const MAX_END = 1_000

const MAX_INDENT = 8

/** Writes a value in a layout. */
export function writeJson(value: JsonValue, layout: JsonLayout = {}): string {
  let text = layOut(JSON.stringify(value), layout)
  if (layout.ascii) text = text.replace(/[\u007f-\uffff]/g, escapeUnit)
  return text + (layout.end ?? '')
}

/** The layout in which `value` is spelled exactly like `text`, or `undefined` when there is none. */
export function layoutOf(text: string, value: JsonValue): JsonLayout | undefined {
  // SDKs write the compact spelling, which needs no guess.
  if (JSON.stringify(value) === text) return {}
  const guess = guessLayout(text)
  return writeJson(value, guess) === text ? guess : undefined
}

/** As {@link layoutOf}, but white space that no layout gives may differ: it is lost. */
export function nearestLayout(text: string, value: JsonValue): JsonLayout | undefined {
  const exact = layoutOf(text, value)
  if (exact) return exact
  const guess = guessLayout(text)
  return isSameButSpace(text, writeJson(value, guess)) ? guess : undefined
}

/** Whether two texts of JSON differ in the white space between their tokens alone. */
export function isSameButSpace(one: string, other: string): boolean {
  return one === other || withoutSpace(one) === withoutSpace(other)
}

/** JSON without the white space between its tokens. */
export function withoutSpace(json: string): string {
  return Array.from(jsonTokens(json), ({ token }) => token).join('')
}

function guessLayout(text: string): JsonLayout {
  const layout: JsonLayout = {}
  const body = text.trimEnd()
  const end = text.slice(body.length)
  const indent = /^[[{]\r?\n( +)/.exec(body)?.[1]?.length
  const start = body.slice(0, 4_096)
  if (indent) {
    if (indent <= MAX_INDENT) layout.indent = indent
  } else if (/"\s*: /.test(start) || /[\]}"\dle], ["{[\d]/.test(start)) layout.spaced = true
  // oxlint-disable-next-line no-control-regex -- asks whether the text is pure ASCII
  if (/\\u[0-9a-f]{4}/.test(body) && /^[\x00-\x7e]*$/.test(body)) layout.ascii = true
  if (end !== '' && end.length <= MAX_END && /^[ \t\r\n]*$/.test(end)) layout.end = end
  return layout
}

function escapeUnit(unit: string): string {
  return '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')
}
