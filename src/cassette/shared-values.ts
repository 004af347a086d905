import { CassetteError } from '../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { sha256 } from '../prompt/sha256.ts'

/** Shorter texts read better where they stand than as a reference. */
const MIN_SHARED_TEXT = 256

/** Keys with a meaning of their own in a stored body; real objects that use them are wrapped. */
const RESERVED = ['$same', '$blob', '$json', '$text', '$events', '$base64']

/**
 * What the request bodies of one cassette have in common. A conversation sends its whole history in
 * every request; stored here, each exchange holds what is new and refers to an earlier one for the
 * rest: `{ "$same": "exchange-1", "first": 4, "rest": [ … ] }`.
 */
export class SharedValues {
  /** Place and content hash of every array prefix and long text seen, with where it was seen first. */
  readonly #seen: Map<string, { exchange: string; first: number }> = new Map()

  /** The stored form of a request body. */
  store(body: JsonValue, exchange: string): JsonValue {
    return this.#storeValue(body, exchange, '')
  }

  #storeValue(value: JsonValue, exchange: string, place: string): JsonValue {
    if (Array.isArray(value)) return this.#storeArray(value, exchange, place)
    if (isJsonObject(value)) {
      return wrapReserved(
        mapObject(value, (child, key) => this.#storeValue(child, exchange, `${place}/${key}`)),
      )
    }
    if (typeof value !== 'string' || value.length < MIN_SHARED_TEXT) return value
    return this.#sameAs(`${place} ${sha256(value)}`, exchange, 0) ?? value
  }

  #storeArray(array: JsonValue[], exchange: string, place: string): JsonValue {
    const items = array.map(wrapDeep)
    if (!array.some((item) => typeof item === 'object' && item !== null)) return items
    const keys = prefixKeys(array, place)
    for (let first = keys.length; first > 0; first--) {
      const earlier = this.#seen.get(keys[first - 1]!)
      if (!earlier) continue
      this.#remember(keys, exchange)
      const rest = items.slice(first)
      return { $same: earlier.exchange, first, ...(rest.length > 0 ? { rest } : {}) }
    }
    this.#remember(keys, exchange)
    return items
  }

  #sameAs(key: string, exchange: string, first: number): JsonValue | undefined {
    const earlier = this.#seen.get(key)
    if (!earlier) this.#seen.set(key, { exchange, first })
    return earlier && { $same: earlier.exchange }
  }

  #remember(keys: string[], exchange: string): void {
    for (const [index, key] of keys.entries()) {
      if (!this.#seen.has(key)) this.#seen.set(key, { exchange, first: index + 1 })
    }
  }
}

/**
 * Resolves the references of a stored body against the bodies of earlier exchanges.
 *
 * @throws CassetteError `invalid-cassette` for a reference that leads nowhere.
 */
export function resolveShared(
  stored: JsonValue,
  earlier: ReadonlyMap<string, JsonValue>,
): JsonValue {
  return resolve(stored, [])

  function resolve(value: JsonValue, place: string[]): JsonValue {
    if (Array.isArray(value)) return value.map((item) => unwrapDeep(item))
    if (!isJsonObject(value)) return value
    if ('$json' in value)
      return mapObject(value.$json as JsonObject, (child, key) => resolve(child, [...place, key]))
    if ('$same' in value) return follow(value, place)
    return mapObject(value, (child, key) => resolve(child, [...place, key]))
  }

  function follow(reference: JsonObject, place: string[]): JsonValue {
    let target = earlier.get(String(reference.$same))
    for (const key of place)
      target = isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined
    if (reference.first === undefined && target !== undefined) return target
    const { first, rest = [] } = reference
    if (!Array.isArray(target) || !Array.isArray(rest) || !(Number(first) <= target.length)) {
      throw new CassetteError(
        'invalid-cassette',
        `the reference to ${String(reference.$same)} at /${place.join('/')} leads nowhere`,
      )
    }
    return [...target.slice(0, Number(first)), ...rest.map(unwrapDeep)]
  }
}

/** One key for each prefix of an array: a hash chain, so that all of them cost one walk. */
function prefixKeys(array: JsonValue[], place: string): string[] {
  let chain = ''
  return array.map((item) => {
    chain = sha256(chain + JSON.stringify(item))
    return `${place} ${chain}`
  })
}

/** Wraps every object that uses a reserved key as `{ "$json": … }`. */
export function wrapDeep(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(wrapDeep)
  return isJsonObject(value) ? wrapReserved(mapObject(value, wrapDeep)) : value
}

/** Undoes {@link wrapDeep}. */
export function unwrapDeep(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(unwrapDeep)
  if (!isJsonObject(value)) return value
  return mapObject(isJsonObject(value.$json) ? value.$json : value, unwrapDeep)
}

function wrapReserved(value: JsonObject): JsonObject {
  return RESERVED.some((key) => Object.hasOwn(value, key)) ? { $json: value } : value
}

/** Keeps `__proto__` a key like any other. */
function mapObject(
  value: JsonObject,
  change: (child: JsonValue, key: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(Object.keys(value).map((key) => [key, change(value[key]!, key)]))
}
