import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { ValueEncoder } from './encode-value.ts'
import { LongestRun } from './longest-run.ts'
import { below } from './pointer.ts'
import { unwrapReserved } from './reserved-keys.ts'

/** Shorter values read better where they stand than as a reference. */
const MIN_SHARED = 256

/** A value's identity, and about how many characters it takes. */
interface Measure {
  key: string
  size: number
}

interface Place {
  exchange: string
  pointer: string
}

/**
 * What the exchanges of one cassette have in common. A conversation sends its whole history in every
 * request; stored here, each exchange holds what is new and refers to an earlier one for the rest:
 *
 * - `{ "$same": "exchange-1", "count": 4 }` among the items of an array stands for the first four
 *   items of the array at the same place of that exchange; with `"from": 2`, from the third on.
 * - `{ "$same": "exchange-1" }` anywhere else stands for the value at the same place of it, and with
 *   `"at": "/response/text"` for the value at that place, a JSON pointer into the whole exchange.
 */
export class SharedValues {
  readonly #places: Map<string, Place> = new Map()
  readonly #runs: LongestRun = new LongestRun()
  readonly #measures: WeakMap<object, Measure> = new WeakMap()
  readonly #encoder: ValueEncoder = new ValueEncoder(() => {})
  #pending: Array<{ key: string; pointer: string }> = []

  /** Makes the readable half of an exchange known, which is stored as it is: the wire half can refer to it. */
  addReadable(value: JsonValue | undefined, exchange: string, pointer: string): void {
    if (value === undefined || (typeof value !== 'string' && !isContainer(value))) return
    const encoded = this.#measure(this.#encoder.encode(value))
    // What reads the same when it is decoded may stand for what is encoded.
    const isSame = typeof value === 'string' || this.#measure(value).key === encoded.key
    if (encoded.size < MIN_SHARED) return
    if (isSame) this.#remember(encoded.key, { exchange, pointer })
    if (typeof value === 'string') return
    for (const [key, child] of Object.entries(value))
      this.addReadable(child, exchange, below(pointer, key))
  }

  /**
   * The stored form of a value that stands at `pointer`. In a request, lists are histories: whatever
   * an earlier one had is a reference, however short.
   */
  store(value: JsonValue, exchange: string, pointer: string, isRequest: boolean): JsonValue {
    const stored = this.#store(value, exchange, pointer, isRequest)
    // Only now: a value cannot refer to another part of itself.
    for (const { key, pointer } of this.#pending) this.#remember(key, { exchange, pointer })
    this.#pending = []
    return stored
  }

  #store(value: JsonValue, exchange: string, pointer: string, isRequest: boolean): JsonValue {
    if (typeof value !== 'string' && !isContainer(value)) return value
    const { key, size } = this.#measure(value)
    const isHistory = isRequest && Array.isArray(value) && value.some(isContainer)
    const earlier = this.#places.get(key)
    if (earlier && (size >= MIN_SHARED || (isHistory && earlier.pointer === pointer))) {
      if (isHistory) this.#runs.add(pointer, exchange, this.#keysOf(value))
      const { exchange: $same, pointer: at } = earlier
      return at === pointer ? { $same } : { $same, at }
    }
    if (size >= MIN_SHARED || isHistory) this.#pending.push({ key, pointer })
    if (typeof value === 'string') return value
    if (Array.isArray(value)) {
      if (isHistory) return this.#storeHistory(value, exchange, pointer)
      return value.map((item, index) =>
        this.#store(item, exchange, below(pointer, index), isRequest),
      )
    }
    const wrapped = unwrapReserved(value)
    if (!wrapped) return this.#storeFields(value, exchange, pointer, isRequest)
    // Never replaced as a whole: inside the wrapper a reference would be the user's own object.
    return { $json: this.#storeFields(wrapped, exchange, below(pointer, '$json'), isRequest) }
  }

  #storeFields(
    value: JsonObject,
    exchange: string,
    pointer: string,
    isRequest: boolean,
  ): JsonObject {
    // Built from entries, a key named `__proto__` is a key like any other.
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        this.#store(child, exchange, below(pointer, key), isRequest),
      ]),
    )
  }

  #storeHistory(items: JsonValue[], exchange: string, pointer: string): JsonValue {
    const keys = this.#keysOf(items)
    const stored: JsonValue[] = []
    for (let index = 0; index < items.length;) {
      const item = items[index]!
      const run = isContainer(item) ? this.#runs.find(pointer, keys, index) : undefined
      if (run) {
        const { exchange: $same, from, count } = run
        stored.push({ $same, ...(from > 0 ? { from } : {}), count })
        index += count
      } else {
        // Lists inside an item of a list are a part of it, and no history of their own.
        stored.push(this.#store(item, exchange, below(pointer, index), false))
        index++
      }
    }
    this.#runs.add(pointer, exchange, keys)
    return stored
  }

  #remember(key: string, place: Place): void {
    if (!this.#places.has(key)) this.#places.set(key, place)
  }

  #keysOf(items: JsonValue[]): string[] {
    return items.map((item) => this.#measure(item).key)
  }

  #measure(value: JsonValue): Measure {
    if (!isContainer(value)) {
      const text = JSON.stringify(value)
      return { key: text.length > 80 ? sha256(text) : text, size: text.length }
    }
    const known = this.#measures.get(value)
    if (known) return known
    let text = Array.isArray(value) ? '[' : '{'
    let size = 2
    for (const [name, child] of Object.entries(value)) {
      const inner = this.#measure(child)
      text += Array.isArray(value) ? `${inner.key},` : `${JSON.stringify(name)}:${inner.key},`
      size += inner.size + (Array.isArray(value) ? 2 : name.length + 4)
    }
    const measure = { key: sha256(text), size }
    this.#measures.set(value, measure)
    return measure
  }
}

function isContainer(value: JsonValue): value is JsonValue[] | JsonObject {
  return Array.isArray(value) || isJsonObject(value)
}
