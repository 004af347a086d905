import { CassetteError } from '../errors.ts'
import {
  isContainer,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  type RawNumber,
} from '../json/json-value.ts'
import { isOrdered } from '../json/key-order.ts'
import { fold } from '../json/walk.ts'
import { CallIds, type CallPlaces } from './call-ids.ts'
import { shortSha256 } from './request-hash.ts'
import type { VolatileValues } from './volatile.ts'

/** The parts of an address that matching compares. */
export interface CanonicalAddress {
  /** The provider's name, `localhost`, or the host: ports, regions and account names do not count. */
  endpoint: string
  /** With leading slash; the model can be in it. */
  path: string
  /** Query parameters that count, each as `name=value`, sorted by name; absent where there are none. */
  query?: string[]
}

/** The content of a request, by the kind of its body; without any of them, the request has no body. */
export interface CanonicalContent {
  /** An object or a list of JSON, whatever the content type. */
  body?: JsonValue
  text?: JsonValue
  lines?: JsonValue[]
  frames?: JsonValue[]
  form?: JsonValue[]
  /** The sha256 of the bytes. */
  bytes?: string
}

/** The kinds of content that people read. */
export const CONTENTS = ['body', 'text', 'lines', 'frames', 'form'] as const

/** The form of a request that matching compares: everything that the provider could see, and nothing else. */
export interface CanonicalRequest extends CanonicalAddress, CanonicalContent {
  method: string
  /** Headers that count, each as `name: value`, sorted; absent where there are none. */
  headers?: string[]
  /** The prompt hash of the previous request on the same socket. */
  after?: string
}

/** Options for reading a body into its canonical form. */
export interface CanonicalReading {
  /** Collects the volatile values of the request, whose parts may be several bodies. */
  volatile?: VolatileValues
  /** Numbers the ids of calls of the request, whose parts may be several bodies. */
  callIds?: CallIds
  /** The places of call ids; by default there is none. */
  calls?: CallPlaces | undefined
  /** The order of properties does not count: nobody knows in which one they were sent. */
  unordered?: boolean
  /** Replaces whole texts. The prompt hash is that of a form in which no text is replaced. */
  replace?: (text: string) => string | undefined
  /** Leaves properties an object, in their order: people compare them by name. */
  named?: boolean
}

/** The first character of every mark in the canonical form. */
const MARK = '\u0000'

/**
 * The canonical form of a request body: properties of schemas as a list in their order, ids of tool calls numbered by
 * first appearance where the protocol has them, declared volatile values likewise, numbers that no double holds kept
 * digit by digit. Everything else counts as it was sent; the order of keys counts nowhere else.
 *
 * @throws CassetteError `invalid-json` for values that JSON cannot carry and for more than 1,000 levels,
 * `invalid-option` for a volatile rule that fails.
 */
export function canonicalBody(
  body: JsonValue,
  {
    volatile,
    callIds = new CallIds(),
    calls,
    unordered = false,
    replace,
    named = false,
  }: CanonicalReading = {},
): JsonValue {
  // Without volatile rules, no path is needed.
  const path: Array<string | number> | undefined = volatile && []

  function canonical(value: JsonValue, { at, inOrder }: Told, inside: Inside): JsonValue {
    const mark = volatile?.markAt(path!, value)
    if (mark !== undefined) return mark
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return canonicalString(value)
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (typeof value !== 'object') throw notJson(String(value))
    if (isRawNumber(value)) return canonicalNumber(value)
    if (!Array.isArray(value)) return canonicalObject(value, { at, inOrder }, inside)
    return value.map((item, index) => {
      path?.push(index)
      const form = inside(item, { at: at?.any, inOrder: false })
      path?.pop()
      return form
    })
  }

  function canonicalObject(value: JsonObject, { at, inOrder }: Told, inside: Inside): JsonValue {
    const keys = Object.keys(value)
    const sorted = keys.toSorted()
    const entries: Record<string, [string, JsonValue]> = Object.create(null)
    // Sorted before anything is numbered, so that an SDK's order of keys cannot number it.
    for (const key of sorted) {
      const child = value[key]!
      const inner = at?.fields.get(key)
      const name = volatile ? volatile.replaceIn(key, path!) : key
      path?.push(key)
      const id = callIds.markAt(inner, child, value)
      const form = id ?? inside(child, { at: inner, inOrder: !unordered && isOrdered(key) })
      path?.pop()
      entries[key] = [name, form]
    }
    const list = (inOrder ? keys : sorted).map((key) => entries[key]!)
    return inOrder && !named ? list : Object.fromEntries(list)
  }

  function canonicalString(text: string): string {
    const replaced = replace?.(text)
    if (replaced !== undefined) return replaced
    // A text that begins as a mark does is none.
    const escape = text.startsWith(MARK) ? MARK : ''
    return escape + (volatile ? volatile.replaceIn(text, path!) : text)
  }

  return fold(body, { at: calls, inOrder: false }, canonical)
}

/** The place of a value in a body. */
interface Told {
  at: CallPlaces | undefined
  /** Whether the order of its keys means something. */
  inOrder: boolean
}

type Inside = (value: JsonValue, told: Told) => JsonValue

/** The prompt hash: the beginning of the sha256 of the canonical request, in base64url. */
export function hashRequest(request: CanonicalRequest): string {
  return shortSha256(print(request as unknown as JsonValue))
}

/** A character that JSON or UTF-8 spells in another way than as itself. */
const SPELLED = /[^ !#-[\]-~]/

/** Shorter texts are written fast enough. */
const LONG_TEXT = 1_024

/** Compact JSON with all keys sorted; `JSON.stringify` would write keys that are whole numbers first. */
function print(value: JsonValue): string {
  return fold(value, undefined, printOne)
}

function printOne(
  value: JsonValue,
  _: undefined,
  inside: (part: JsonValue, _: undefined) => string,
): string {
  // To look at a picture is faster than to write it anew.
  if (typeof value === 'string' && value.length >= LONG_TEXT && !SPELLED.test(value))
    return `"${value}"`
  if (!isContainer(value)) return JSON.stringify(value)
  // Added one after the other, a long text is copied once, and not for each level.
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += (text && ',') + inside(item, undefined)
    return `[${text}]`
  }
  for (const key of Object.keys(value).sort())
    if (value[key] !== undefined)
      text += `${text && ','}${JSON.stringify(key)}:${inside(value[key], undefined)}`
  return `{${text}}`
}

/** `1.0` is the number 1, but an integer beyond 2^53 keeps its digits. */
function canonicalNumber(number: RawNumber): JsonValue {
  const double = Number(number.rawJSON)
  const faithful = Number.isInteger(double) ? Number.isSafeInteger(double) : Number.isFinite(double)
  return faithful ? double : `${MARK}number:${number.rawJSON.toLowerCase()}`
}

function notJson(what: string): CassetteError {
  return new CassetteError('invalid-json', `A prompt cannot hold ${what}.`)
}
