import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { ValueEncoder } from './encode-value.ts'
import { LongestRun } from './longest-run.ts'
import { below } from './pointer.ts'
import { MIN_ANSWER } from './text-lines.ts'
import { unwrapReserved, wrapReserved } from './reserved-keys.ts'

/** Shorter values read better where they stand than as a reference. */
const MIN_SHARED = 256

interface Place {
  exchange: string
  pointer: string
}

/**
 * Shares values between the exchanges of one cassette. A conversation sends its whole history in every request; the
 * stored form of each exchange holds the new part and refers to an earlier exchange for the rest:
 *
 * - `{ "$same": "exchange-1", "count": 4 }` among the items of an array stands for the first four items of the array
 *   at the same place of that exchange; with `"from": 2`, from the third on.
 * - `{ "$same": "exchange-1" }` anywhere else stands for the value at the same place of it, and with `"at":
 *   "/response/text"` for the value at that place, a JSON pointer into the whole exchange.
 */
export class SharedValues {
  readonly #places: Map<string, Place> = new Map()
  readonly #runs: LongestRun = new LongestRun()
  readonly #keys: WeakMap<object, string> = new WeakMap()
  readonly #sizes: WeakMap<object, number> = new WeakMap()
  readonly #encoder: ValueEncoder = new ValueEncoder(() => {})
  /** The references to texts stored as pieces of a readable text. */
  readonly #pieces: Map<string, JsonObject> = new Map()
  /** What a model answered: the texts, and the keys of lists and objects by their size. */
  readonly #answered: Set<string> = new Set()
  readonly #calledWith: Map<number, Set<string>> = new Map()
  #pending: Array<{ key: string; pointer: string }> = []

  /** Registers a value of the readable half of an exchange, which is stored as it is: the wire half can refer to it. */
  addReadable(
    value: JsonValue | undefined,
    exchange: string,
    pointer: string,
    least: number = MIN_SHARED,
  ): void {
    if (value === undefined || (typeof value !== 'string' && !isContainer(value))) return
    const encoded = this.#encoder.encode(value)
    if (this.#sizeOf(encoded) < least) return
    // A wrapped object stands one level deeper.
    if (isJsonObject(value) && wrapReserved(value) !== value) return
    const key = this.#keyOf(encoded)
    // A text decodes to itself. Any other value must equal its encoded form to stand for it.
    const isSame = typeof value === 'string' || this.#keyOf(value) === key
    if (isSame) this.#remember(key, { exchange, pointer })
    if (isSame && least < MIN_SHARED) this.#addAnswer(value, key)
    if (typeof value === 'string') return
    for (const [key, child] of Object.entries(value))
      this.addReadable(child, exchange, below(pointer, key), least)
  }

  #addAnswer(value: JsonValue, key: string): void {
    if (typeof value === 'string') return void this.#answered.add(value)
    const size = this.#sizeOf(value)
    const known = this.#calledWith.get(size) ?? new Set()
    this.#calledWith.set(size, known.add(key))
  }

  /** Registers pieces of a readable text that together are one text of the request. */
  addPieces(text: string, exchange: string, pointer: string, from: number, count: number): void {
    this.#pieces.set(text, { $same: exchange, at: pointer, ...(from > 0 ? { from } : {}), count })
  }

  /** Whether a text is stored already. */
  knows(text: string): boolean {
    return this.#pieces.has(text) || this.#places.has(this.#keyOf(text))
  }

  /**
   * The stored form of a value that stands at `pointer`. In a request, lists are histories: items of an earlier list
   * become references, however short.
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
    const isHistory = isRequest && Array.isArray(value) && value.some(isContainer)
    const pieces = typeof value === 'string' ? this.#pieces.get(value) : undefined
    if (pieces) return { $text: [{ ...pieces }] }
    const spelled = typeof value === 'string' ? this.#spell(value) : undefined
    if (spelled) return this.#storeFields(spelled, exchange, pointer, isRequest)
    const isLong = this.#isAnswer(value) || this.#sizeOf(value) >= MIN_SHARED
    // The value contains nothing long, no history, and nothing that a model answered.
    if (!isLong && !isRequest && !this.#mayAnswer(value)) return value
    const key = isLong || isHistory ? this.#keyOf(value) : ''
    const earlier = this.#places.get(key)
    if (earlier && (isLong || (isHistory && earlier.pointer === pointer))) {
      if (isHistory) this.#runs.add(pointer, exchange, this.#keysOf(value))
      const { exchange: $same, pointer: at } = earlier
      return at === pointer ? { $same } : { $same, at }
    }
    if (isLong || isHistory) this.#pending.push({ key, pointer })
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

  #mayAnswer(value: JsonValue): boolean {
    const isAny = this.#answered.size > 0 || this.#calledWith.size > 0
    return isAny && isContainer(value) && this.#sizeOf(value) >= MIN_ANSWER
  }

  #isAnswer(value: JsonValue): boolean {
    if (typeof value === 'string') return this.#answered.has(value)
    if (this.#calledWith.size === 0) return false
    return this.#calledWith.get(this.#sizeOf(value))?.has(this.#keyOf(value)) ?? false
  }

  /** The encoded form of the arguments of a call in a text; longer ones are encoded so already. */
  #spell(text: string): JsonObject | undefined {
    const isShort = text.length >= MIN_ANSWER && text.length < MIN_SHARED
    if (this.#calledWith.size === 0 || !isShort) return undefined
    const spelled = this.#encoder.spell(text)
    return spelled && this.#isAnswer(spelled.$stringified!) ? spelled : undefined
  }

  #remember(key: string, place: Place): void {
    if (!this.#places.has(key)) this.#places.set(key, place)
  }

  #keysOf(items: JsonValue[]): string[] {
    return items.map((item) => this.#keyOf(item))
  }

  /** A value's identity. */
  #keyOf(value: JsonValue): string {
    if (!isContainer(value)) return shorten(JSON.stringify(value))
    const known = this.#keys.get(value)
    if (known !== undefined) return known
    const isList = Array.isArray(value)
    let text = isList ? '[' : '{'
    for (const [name, child] of Object.entries(value))
      text += isList ? `${this.#keyOf(child)},` : `${JSON.stringify(name)}:${this.#keyOf(child)},`
    const key = shorten(text)
    this.#keys.set(value, key)
    return key
  }

  /** About how many characters a value takes. */
  #sizeOf(value: JsonValue): number {
    if (typeof value === 'string' && value.length >= MIN_SHARED) return value.length
    if (!isContainer(value)) return JSON.stringify(value).length
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    let size = 2
    if (Array.isArray(value)) for (const item of value) size += this.#sizeOf(item) + 2
    else
      for (const [name, child] of Object.entries(value))
        size += this.#sizeOf(child) + name.length + 4
    // A smaller value takes as long to look up as to measure.
    if (size >= MIN_SHARED) this.#sizes.set(value, size)
    return size
  }
}

function shorten(key: string): string {
  return key.length > 80 ? sha256(key) : key
}

function isContainer(value: JsonValue): value is JsonValue[] | JsonObject {
  return Array.isArray(value) || isJsonObject(value)
}
