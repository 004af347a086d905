import { CassetteError } from '../errors.ts'

/** A number kept as it was spelled, because a double would print it differently (`1.0`, 2^53 + 1). */
export interface RawNumber {
  readonly rawJSON: string
}

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | RawNumber | JsonValue[] | JsonObject

export interface JsonObject {
  [key: string]: JsonValue
}

/** The two functions of the "JSON.parse source text access" proposal that the compiler lacks. */
const rawJson = JSON as unknown as {
  rawJSON(source: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

/** How deeply a JSON text may be nested before it is refused: far above any prompt, far below a crash. */
export const MAX_DEPTH = 1_000

/** Digits or exponents that a double might not carry faithfully, or would not print again. */
const MAY_LOSE_DIGITS = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0(?![.\d])/

/** The beginning of every JSON text. Most texts do not match, and a parse error for each would take too long. */
const MAY_BE_JSON = /^\s*(?:\{\s*["}]|\[\s*(?:["{[\]\-\d]|true|false|null)|"|-?\d|true|false|null)/

export function isRawNumber(value: unknown): value is RawNumber {
  return rawJson.isRawJSON(value)
}

/** Whether a value is a list or an object. */
export function isContainer(value: unknown): value is JsonValue[] | JsonObject {
  return typeof value === 'object' && value !== null && !isRawNumber(value)
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isContainer(value) && !Array.isArray(value)
}

/** The value of a JSON text. */
export interface ReadJson {
  value: JsonValue
  /** True if a key stands twice in one object: then the text says more than its value. */
  isTwice: boolean
}

/**
 * Parses JSON without losing anything that writing it again would need: numbers that a double would
 * print differently come back as {@link RawNumber}.
 *
 * @throws CassetteError `invalid-json` when the text is nested more than {@link MAX_DEPTH} deep.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): JsonValue {
  return readJsonText(text).value
}

/** Like {@link parseJson}, with `undefined` for a text that is not JSON or nested too deeply. */
export function tryParseJson(text: string): JsonValue | undefined {
  return tryReadJson(text)?.value
}

/** As {@link tryParseJson}, with what the value does not say. */
export function tryReadJson(text: string): ReadJson | undefined {
  if (!MAY_BE_JSON.test(text)) return undefined
  try {
    return readJsonText(text)
  } catch {
    return undefined
  }
}

/** As {@link parseJson}, with what the value does not say. */
export function readJsonText(text: string): ReadJson {
  const value = JSON.parse(text) as JsonValue
  const fields = countFields(value)
  const { keys, mayLoseDigits } = scan(text)
  const isTwice = keys !== fields
  if (!mayLoseDigits) return { value, isTwice }
  // Only now: a reviver walks the value recursively, and depth could overflow the stack.
  const spelled = JSON.parse(text, keepSpelling as (key: string, value: unknown) => unknown)
  return { value: spelled as JsonValue, isTwice }
}

function keepSpelling(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value
  return JSON.stringify(value) === context.source ? value : rawJson.rawJSON(context.source)
}

/** Looks only between the strings of a JSON text, and counts those that are keys: prompts are long, and both are few. */
function scan(text: string): { keys: number; mayLoseDigits: boolean } {
  let keys = 0
  let mayLoseDigits = false
  for (let at = 0; ;) {
    const open = text.indexOf('"', at)
    const end = open < 0 ? text.length : open
    // A shorter piece holds no number that loses digits.
    if (!mayLoseDigits && (open < 0 || end - at > 2))
      mayLoseDigits = MAY_LOSE_DIGITS.test(text.slice(at, end))
    if (open < 0) return { keys, mayLoseDigits }
    at = endOfString(text, open) + 1
    if (isBeforeColon(text, at)) keys++
  }
}

function isBeforeColon(text: string, at: number): boolean {
  let code = text.charCodeAt(at)
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)
    code = text.charCodeAt(++at)
  return code === 0x3a
}

/** The quote that ends the text in JSON which begins at `open`; -1 if there is none. */
export function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (text[close - 1] === '\\' && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

/** The number of fields of all objects. Level by level, so that a hostile text cannot overflow the stack. */
function countFields(value: JsonValue): number {
  let count = 0
  let level: JsonValue[] = [[value]]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH + 1) throw tooDeep()
    const below: JsonValue[] = []
    for (const one of level) {
      if (Array.isArray(one)) {
        // Not by their places: a list can hold thousands of numbers.
        for (const item of one) if (typeof item === 'object' && item !== null) below.push(item)
        continue
      }
      for (const key in one as JsonObject) {
        const inner = (one as JsonObject)[key]!
        count++
        if (typeof inner === 'object' && inner !== null) below.push(inner)
      }
    }
    level = below
  }
  return count
}

/** The error for what no prompt needs. */
export function tooDeep(): CassetteError {
  return new CassetteError(
    'invalid-json',
    `JSON is nested more than ${MAX_DEPTH} levels deep, which no prompt needs. Send it as text instead.`,
  )
}

/** Changes the items of a list or the fields of an object; returns the same value if none of them changed. */
export function mapInside(
  value: JsonValue,
  change: (child: JsonValue, key: string) => JsonValue,
): JsonValue {
  // Loops, which copy nothing before the first change: most values have none.
  if (Array.isArray(value)) {
    let items: JsonValue[] | undefined
    for (let at = 0; at < value.length; at++) {
      const changed = change(value[at]!, String(at))
      if (changed !== value[at]) items ??= value.slice(0, at)
      items?.push(changed)
    }
    return items ?? value
  }
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value)
  let entries: Array<readonly [string, JsonValue]> | undefined
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!
    const changed = change(value[key]!, key)
    if (changed !== value[key])
      entries ??= keys.slice(0, at).map((before) => [before, value[before]!] as const)
    entries?.push([key, changed])
  }
  // Built from entries, a key named `__proto__` is a key like any other.
  return entries ? Object.fromEntries(entries) : value
}
