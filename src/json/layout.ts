import { isContainer, type JsonValue } from './json-value.ts'

/**
 * The spelling of a provider's JSON. Kept so that an answer can be stored as a readable value and still be replayed
 * byte for byte. Absent fields mean the compact spelling of `JSON.stringify`.
 */
export interface JsonLayout {
  /** Spaces per level when every item has a line of its own. */
  indent?: number
  /** A space after each comma (`, `), as Python writes. */
  spacedItems?: boolean
  /** A space after each colon (`: `). */
  spacedKeys?: boolean
  /** Every character above U+007F escaped as `\uXXXX`. */
  ascii?: boolean
  /** Spaces before the last bracket, as Anthropic pads its events. */
  pad?: number
  /** White space after the value. */
  end?: string
}

/** The most white space that a layout keeps in one place; a text with more, as models run away into it, stays a text. */
export const MAX_SPACE = 1_000

/** The most spaces per level. */
export const MAX_INDENT = 16

/** Writes a value in a layout. */
export function writeJson(value: JsonValue, layout: JsonLayout = {}): string {
  let text = isStandard(layout) ? JSON.stringify(value) : writeValue(value, layout, 0)
  if (layout.ascii) text = text.replace(/[\u0080-\uffff]/g, escapeUnit)
  if (layout.pad) text = text.slice(0, -1) + ' '.repeat(layout.pad) + text.slice(-1)
  return text + (layout.end ?? '')
}

/** The layout in which `value` is spelled exactly like `text`, or `undefined` when there is none. */
export function layoutOf(text: string, value: JsonValue): JsonLayout | undefined {
  // SDKs write the compact spelling, which needs no guess.
  if (JSON.stringify(value) === text) return {}
  const guess = guessLayout(text)
  const { indent = 0, pad = 0, end = '' } = guess
  if (indent > MAX_INDENT || Math.max(pad, end.length) > MAX_SPACE) return undefined
  return writeJson(value, guess) === text ? guess : undefined
}

function guessLayout(text: string): JsonLayout {
  const layout: JsonLayout = {}
  const body = text.trimEnd()
  if (body.length < text.length) layout.end = text.slice(body.length)

  const indent = /^[[{]\r?\n( +)/.exec(body)?.[1]?.length
  const pad = padOf(body)
  if (indent) layout.indent = indent
  else {
    if (/"\s*: /.test(body.slice(0, 4_096))) layout.spacedKeys = true
    if (/[\]}"\dle], ["{[\d]/.test(body.slice(0, 4_096))) layout.spacedItems = true
    if (pad) layout.pad = pad
  }
  // oxlint-disable-next-line no-control-regex -- asks whether the text is pure ASCII
  if (/\\u[0-9a-f]{4}/.test(body) && /^[\x00-\x7f]*$/.test(body)) layout.ascii = true
  return layout
}

/** The number of spaces before the last bracket of a text. */
export function padOf(text: string): number {
  let start = text.length - 1
  if (text[start] !== '}' && text[start] !== ']') return 0
  while (text[start - 1] === ' ') start--
  return text.length - 1 - start
}

function isStandard(layout: JsonLayout): boolean {
  return !layout.indent && !layout.spacedItems && !layout.spacedKeys
}

function escapeUnit(unit: string): string {
  return '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')
}

function writeValue(value: JsonValue, layout: JsonLayout, depth: number): string {
  if (!isContainer(value)) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const colon = layout.spacedKeys || layout.indent ? ': ' : ':'
  const items = Array.isArray(value)
    ? value.map((item) => writeValue(item, layout, depth + 1))
    : Object.entries(value).map(
        ([key, item]) => JSON.stringify(key) + colon + writeValue(item, layout, depth + 1),
      )
  if (items.length === 0) return `${open}${close}`
  if (!layout.indent) return open + items.join(layout.spacedItems ? ', ' : ',') + close
  const inner = '\n' + ' '.repeat(layout.indent * (depth + 1))
  return open + inner + items.join(',' + inner) + '\n' + ' '.repeat(layout.indent * depth) + close
}
