import { CassetteError } from '../../errors.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { unwrapReserved, withFields } from './reserved-keys.ts'
import { below, keysOfPointer, REQUEST_BODY } from './pointer.ts'

/** The most steps to follow references. No recording comes near: more are meant to keep a program busy. */
const MAX_STEPS = 2 ** 22

/** Resolves the references that `SharedValues` wrote, against the exchanges read so far. */
export class References {
  readonly #exchanges: Map<string, JsonObject> = new Map()
  /** The place of the value to resolve: a pointer, and the keys below it. */
  #base = ''
  readonly #keys: Array<string | number> = []
  #steps = 0

  /** Makes an exchange known; of two with one id the first counts, as when they were stored. */
  add(exchange: string, content: JsonObject): void {
    if (!this.#exchanges.has(exchange)) this.#exchanges.set(exchange, content)
  }

  /**
   * The value that a stored value at `pointer` stands for: the same object where it refers to nothing.
   *
   * @throws CassetteError `invalid-cassette` for a reference that leads nowhere.
   */
  resolve(value: JsonValue, pointer: string): JsonValue {
    this.#base = pointer
    this.#keys.length = 0
    return this.#resolve(value)
  }

  #resolve(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return this.#resolveItems(value)
    if (!isContainer(value)) return value
    const wrapped = '$json' in value ? unwrapReserved(value) : undefined
    if (wrapped) {
      this.#keys.push('$json')
      const fields = this.#resolveFields(wrapped)
      this.#keys.pop()
      return fields === wrapped ? value : { $json: fields }
    }
    return '$same' in value ? this.#follow(value) : this.#resolveFields(value)
  }

  /** Resolves the fields of an object without reserved keys. */
  #resolveFields(value: JsonObject): JsonObject {
    let changed: Map<string, JsonValue> | undefined
    for (const key of Object.keys(value)) {
      const child = value[key]!
      if (!isContainer(child)) continue
      const resolved = this.#resolveAt(key, child)
      if (resolved !== child) (changed ??= new Map()).set(key, resolved)
    }
    return changed ? withFields(value, changed) : value
  }

  #resolveItems(items: JsonValue[]): JsonValue[] {
    let resolved: JsonValue[] | undefined
    for (const [index, item] of items.entries()) {
      if (isContainer(item) && isRun(item)) {
        const { at, from = 0, count = 0 } = item
        const place = typeof at === 'string' ? at : this.#pointer()
        resolved ??= items.slice(0, index)
        for (const one of this.#runOf(item, place, from, count)) resolved.push(one)
        continue
      }
      const one = isContainer(item) ? this.#resolveAt(resolved?.length ?? index, item) : item
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
    const pointer = this.#pointer()
    const { first, rest = [], at } = reference
    if (first !== undefined && Array.isArray(rest)) {
      // The form in which older releases wrote a list that begins like an earlier one.
      const run = this.#runOf(reference, pointer, 0, first)
      return [...run, ...rest.map((item, index) => this.#resolveAt(run.length + index, item))]
    }
    const target = this.#valueAt(reference, typeof at === 'string' ? at : pointer)
    if (target === undefined) throw leadsNowhere(reference, pointer)
    return target
  }

  #runOf(reference: JsonObject, pointer: string, from: JsonValue, count: JsonValue): JsonValue[] {
    const target = this.#valueAt(reference, pointer)
    // A number with a spelling of its own, such as 1e15, is no place: none is written so.
    const isPlace = Number.isInteger(from) && Number.isInteger(count)
    const [start, end] = isPlace ? [Number(from), Number(from) + Number(count)] : [0, 0]
    if (!Array.isArray(target) || start < 0 || end <= start || end > target.length)
      throw leadsNowhere(reference, pointer)
    this.#count(end - start)
    return target.slice(start, end)
  }

  #valueAt(reference: JsonObject, pointer: string): JsonValue | undefined {
    let target: JsonValue | undefined = this.#exchanges.get(reference.$same as string)
    const keys = keysOfPointer(pointer)
    this.#count(keys.length)
    for (const key of keys) {
      if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return
      target = (target as JsonObject)[key]
    }
    return target
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

function isContainer(value: JsonValue): value is JsonObject {
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
