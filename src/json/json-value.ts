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

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/**
 * Parses JSON without losing anything that writing it again would need: numbers that a double would
 * print differently come back as {@link RawNumber}.
 *
 * @throws CassetteError `invalid-json` when the text is nested more than {@link MAX_DEPTH} deep.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue
  if (isTooDeep(value, 0))
    throw new CassetteError(
      'invalid-json',
      `JSON is nested more than ${MAX_DEPTH} levels deep, which no prompt needs. Send it as text instead.`,
    )
  if (!mayLoseDigits(text)) return value
  // Only now: a reviver walks the value recursively, and depth could overflow the stack.
  return JSON.parse(text, keepSpelling as (key: string, value: unknown) => unknown) as JsonValue
}

/** Like {@link parseJson}, with `undefined` for a text that is not JSON or nested too deeply. */
export function tryParseJson(text: string): JsonValue | undefined {
  if (!MAY_BE_JSON.test(text)) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function keepSpelling(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value
  return JSON.stringify(value) === context.source ? value : rawJson.rawJSON(context.source)
}

/** Searches only between the strings of a JSON text: prompts are long, and their numbers few. */
function mayLoseDigits(text: string): boolean {
  for (let at = 0; ;) {
    const open = text.indexOf('"', at)
    if (open < 0) return MAY_LOSE_DIGITS.test(text.slice(at))
    // A shorter piece holds no number that loses digits.
    if (open - at > 2 && MAY_LOSE_DIGITS.test(text.slice(at, open))) return true
    at = endOfString(text, open) + 1
  }
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

/** Stops at the limit, so that a hostile depth cannot overflow the stack. */
function isTooDeep(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > MAX_DEPTH) return true
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, depth + 1))
  for (const key in value) {
    const inner = (value as JsonObject)[key]!
    // Most fields are leaves, and need no call.
    if (typeof inner === 'object' && isTooDeep(inner, depth + 1)) return true
  }
  return false
}
