import { CassetteError } from '../../errors.ts'
import { hasOnly } from '../../json/checks.ts'
import { below, keysOfPointer, REQUEST_BODY } from '../../json/json-pointer.ts'
import { type JsonObject, type JsonValue, MAX_DEPTH } from '../../json/json-value.ts'
import { remember } from '../../remember.ts'
import { unwrapReserved } from './reserved-keys.ts'

/** The most characters of all requests and answers: more than any test records. References could name far more. */
export const MAX_SIZE: number = 2 ** 29

/** The error of values that are larger or deeper than any that was recorded. */
export function tooLarge(): CassetteError {
  return new CassetteError(
    'invalid-cassette',
    `the values of its references are larger than ${MAX_SIZE} characters or deeper than ${MAX_DEPTH} levels`,
  )
}

/** The most steps to follow references. No recording comes near: more are meant to keep a program busy. */
const MAX_STEPS = 2 ** 22

/** A newer version may add keys, which could lead elsewhere. */
const KEYS: readonly string[] = ['$same', 'at', 'from', 'count']

/** References name few places. */
const keysOf = remember(keysOfPointer)

/** A value in which nothing is a reference any more. */
export interface Resolved {
  value: JsonValue
  /** Whether it stands for itself: nothing in it has to be decoded. */
  isPlain: boolean
}

/** Resolves the references that `SharedValues` wrote, against the exchanges read so far. */
export class References {
  readonly #exchanges: Map<string, JsonObject> = new Map()
  /** The place of the value to resolve: a pointer, and the keys below it. */
  #base = ''
  readonly #keys: Array<string | number> = []
  #steps = 0
  #size = 0
  #isPlain = true

  /** Makes an exchange known; of two with one id the first counts, as when they were stored. */
  add(exchange: string, content: JsonObject): void {
    if (!this.#exchanges.has(exchange)) this.#exchanges.set(exchange, content)
  }

  /**
   * The value that a stored value at `pointer` stands for: the same object where it refers to nothing.
   *
   * @throws CassetteError `invalid-cassette` for a reference that leads nowhere.
   */
  resolve(value: JsonValue, pointer: string): Resolved {
    this.#base = pointer
    this.#keys.length = 0
    this.#isPlain = true
    return { value: this.#resolve(value), isPlain: this.#isPlain }
  }

  #resolve(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return this.#resolveItems(value)
    if (!isNested(value)) return value
    const wrapped = '$json' in value ? unwrapReserved(value) : undefined
    if (wrapped) {
      this.#isPlain = false
      this.#keys.push('$json')
      const fields = this.#resolveFields(wrapped)
      this.#keys.pop()
      return fields === wrapped ? value : { $json: fields }
    }
    return '$same' in value ? this.#follow(value) : this.#resolveFields(value)
  }

  /** Resolves the fields of an object without reserved keys. */
  #resolveFields(value: JsonObject): JsonObject {
    let changed: JsonObject | undefined
    for (const key in value) {
      if (key[0] === '$') this.#isPlain = false
      const child = value[key]!
      if (!isNested(child)) continue
      const resolved = this.#resolveAt(key, child)
      // The copy has each key already, so that even `__proto__` is a key like any other.
      if (resolved !== child) (changed ??= { ...value })[key] = resolved
    }
    return changed ?? value
  }

  #resolveItems(items: JsonValue[]): JsonValue[] {
    let resolved: JsonValue[] | undefined
    for (let index = 0; index < items.length; index++) {
      const item = items[index]!
      if (isNested(item) && isRun(item)) {
        resolved ??= items.slice(0, index)
        this.#addRun(item, resolved)
        continue
      }
      const one = isNested(item) ? this.#resolveAt(resolved?.length ?? index, item) : item
      if (one !== item) resolved ??= items.slice(0, index)
      resolved?.push(one)
    }
    return resolved ?? items
  }

  #resolveAt(key: string | number, value: JsonValue): JsonValue {
    this.#keys.push(key)
    const resolved = this.#resolve(value)
    this.#keys.pop()
    return resolved
  }

  #pointer(): string {
    return this.#keys.reduce<string>(below, this.#base)
  }

  #follow(reference: JsonObject): JsonValue {
    // Only an item of a list stands for several.
    if ('count' in reference || 'from' in reference) throw leadsNowhere(reference, this.#pointer())
    const target = this.#valueAt(reference, this.#placeIn(reference))
    if (target === undefined) throw leadsNowhere(reference, this.#pointer())
    this.#add(target)
    return target
  }

  /** The keys of the place in the other exchange: by default the same place. */
  #placeIn({ at }: JsonObject): ReadonlyArray<string | number> {
    return typeof at === 'string' ? keysOf(at) : [...keysOf(this.#base), ...this.#keys]
  }

  /** Adds the items that a reference stands for to a list. */
  #addRun(reference: JsonObject, list: JsonValue[]): void {
    const { from = 0, count = 0 } = reference
    const target = this.#valueAt(reference, this.#placeIn(reference))
    // A number with a spelling of its own, such as 1e15, is no place: none is written so.
    const isPlace = Number.isInteger(from) && Number.isInteger(count)
    const start = isPlace ? Number(from) : 0
    const end = isPlace ? start + Number(count) : 0
    if (!Array.isArray(target) || start < 0 || end <= start || end > target.length)
      throw leadsNowhere(reference, this.#whereOf(reference))
    this.#count(end - start)
    for (let index = start; index < end; index++) {
      const item = target[index]!
      this.#add(item)
      list.push(item)
    }
  }

  #whereOf({ at }: JsonObject): string {
    return typeof at === 'string' ? at : this.#pointer()
  }

  #valueAt(reference: JsonObject, keys: ReadonlyArray<string | number>): JsonValue | undefined {
    if (!hasOnly(reference, KEYS)) return undefined
    let target: JsonValue | undefined = this.#exchanges.get(reference.$same as string)
    this.#count(keys.length)
    for (const key of keys) {
      if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return
      target = (target as JsonObject)[key]
    }
    return target
  }

  /** Texts are counted here; the decoder counts all else. */
  #add(target: JsonValue): void {
    if (isNested(target)) this.#isPlain = false
    else if (typeof target === 'string') this.#size += target.length
    if (this.#size > MAX_SIZE) throw tooLarge()
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps <= MAX_STEPS) return
    throw new CassetteError(
      'invalid-cassette',
      `it takes more than ${MAX_STEPS} steps to follow its references`,
    )
  }
}

function isNested(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null
}

function isRun(item: JsonObject): boolean {
  return '$same' in item && 'count' in item && !unwrapReserved(item)
}

function leadsNowhere(reference: JsonObject, pointer: string): CassetteError {
  const place = pointer.replace(REQUEST_BODY, '')
  const { $same } = reference
  const name = typeof $same === 'string' ? $same : JSON.stringify($same)
  return new CassetteError(
    'invalid-cassette',
    `the reference to ${name} at ${place || '/'} leads nowhere`,
  )
}
