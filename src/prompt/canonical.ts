import { createHash } from 'node:crypto'
import { CassetteError } from '../errors.ts'
import {
  isJsonObject,
  isRawNumber,
  MAX_DEPTH,
  type JsonObject,
  type JsonValue,
  type RawNumber,
} from '../json/json-value.ts'
import { isOrdered } from '../json/key-order.ts'
import { hashBase64, type FoundBase64 } from './base64.ts'
import { CallIds } from './call-ids.ts'
import { isCallAt, isFarAt, NOWHERE, type CallPlace } from './call-places.ts'
import { sha256 } from './sha256.ts'
import type { VolatileValues } from './volatile.ts'

/** The form of a request that matching compares: everything that the provider could see, and nothing else. */
export interface CanonicalRequest {
  method: string
  /** The provider's name, `localhost`, or the host: ports, regions and account names do not count. */
  endpoint: string
  /** With leading slash; the model can be in it. */
  path: string
  /** Query parameters that count, each as `name=value`, sorted. */
  query: string[]
  /** Headers that count, each as `name: value`, sorted; absent where there are none. */
  headers?: string[]
  /** The prompt hash of the previous request on the same socket. */
  after?: string
  body: JsonValue
}

/** Options for reading a body into its canonical form. */
export interface CanonicalReading {
  /** Collects the volatile values of the request, whose parts may be several bodies. */
  volatile?: VolatileValues
  /** Collects the long base64 texts, in the order in which they stand in the canonical form. */
  base64?: FoundBase64[]
  /** Replaces each long text by its hash. The prompt hash is that of this form, in which a text is hashed once. */
  compact?: boolean
  /** Numbers the ids of calls of the request, whose parts may be several bodies. */
  callIds?: CallIds
  /** The place from which call ids are reached; by default none is. */
  place?: CallPlace
  /** The order of properties does not count: nobody knows in which one they were sent. */
  unordered?: boolean
}

/** The first character of every mark in the canonical form; in real text it is escaped. */
const MARK = '\u0000'

/** The least length of a text that stands as its hash, instead of being written and hashed with the rest. */
const LONG_TEXT = 1_024

/**
 * The canonical form of a request body: keys sorted but for the properties of schemas, ids of tool calls numbered by
 * first appearance where the protocol has them, declared volatile values likewise, long base64 replaced by its hash,
 * numbers that no double holds kept digit by digit. Everything else counts as it was sent.
 *
 * @throws CassetteError `invalid-json` for values that JSON cannot carry and for more than 1,000 levels,
 * `invalid-option` for a volatile rule that fails.
 */
export function canonicalBody(
  body: JsonValue,
  {
    volatile,
    base64,
    compact = false,
    callIds = new CallIds(),
    place = NOWHERE,
    unordered = false,
  }: CanonicalReading = {},
): JsonValue {
  // Without volatile rules, no path is needed.
  const path: Array<string | number> | undefined = volatile && []

  function canonical(value: JsonValue, at: CallPlace | undefined, depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw notJson(`more than ${MAX_DEPTH} levels`)
    const mark = volatile?.markAt(path!, value)
    if (mark !== undefined) return `${MARK}volatile:${mark}`
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return canonicalString(value)
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (typeof value !== 'object') throw notJson(String(value))
    if (isRawNumber(value)) return canonicalNumber(value)
    if (!Array.isArray(value)) return canonicalObject(value, at, depth)
    return value.map((item, index) => {
      path?.push(index)
      const form = canonical(item, at?.items, depth + 1)
      path?.pop()
      return form
    })
  }

  function canonicalObject(
    value: JsonObject,
    at: CallPlace | undefined,
    depth: number,
  ): JsonObject {
    // Sorted before anything is numbered, so that an SDK's order of keys cannot number it.
    const keys = Object.keys(value).sort()
    const entries = keys.map((key): [string, JsonValue] => {
      const child = value[key]!
      const inner = at?.fields.get(key)
      path?.push(key)
      const form =
        typeof child === 'string' && isCallAt(inner, value)
          ? (callIds.markOf(child, isFarAt(inner, value)) ?? canonical(child, inner, depth + 1))
          : canonical(child, inner, depth + 1)
      path?.pop()
      return [key, !unordered && isOrdered(key) ? withOrder(child, form) : form]
    })
    return Object.fromEntries(entries)
  }

  function canonicalString(text: string): string {
    const found = hashBase64(text)
    if (found) {
      base64?.push(found)
      return markOfBase64(found)
    }
    const form = volatile
      ? volatile.replaceIn(text, path!, (mark) => `${MARK}volatile:${mark}${MARK}`, escapeMarks)
      : escapeMarks(text)
    // Only a well-formed text has a hash of its own.
    const isHashed = compact && form.length >= LONG_TEXT && form.isWellFormed()
    return isHashed ? `${MARK}text:${sha256(form)}` : form
  }

  return canonical(body, place, 0)
}

/** The prompt hash: 22 characters of the sha256 of the canonical request, whose body is compact, in base64url. */
export function hashRequest(request: CanonicalRequest): string {
  const { after, body, endpoint, headers, method, path, query } = request
  // In a fixed order, as the keys of the body are: JSON puts keys that are numbers first.
  const text = JSON.stringify({ after, body, endpoint, headers, method, path, query })
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** The mark for a long base64 text. */
export function markOfBase64({ prefix, hash }: FoundBase64): string {
  return `${MARK}base64:${prefix}${hash}`
}

/** The mark for a picture whose content does not count. */
export function markOfPicture({ prefix }: FoundBase64): string {
  return `${MARK}picture:${prefix}`
}

/** The form of properties with their order, if that is not the order of the form. */
function withOrder(value: JsonValue, form: JsonValue): JsonValue {
  if (!isJsonObject(value)) return form
  const keys = Object.keys(value)
  const isSorted = keys.every((key, at) => at === 0 || keys[at - 1]! < key)
  return isSorted ? form : [`${MARK}order`, keys, form]
}

/** Every mark of a real text is doubled, so that none can be mistaken for one of ours. */
function escapeMarks(text: string): string {
  return text.includes(MARK) ? text.replaceAll(MARK, MARK + MARK) : text
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
