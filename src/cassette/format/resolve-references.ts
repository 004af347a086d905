import { CassetteError } from '../../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { unwrapReserved } from './reserved-keys.ts'
import { below, keysOfPointer, REQUEST_BODY } from './pointer.ts'

/** Steps after which a file is made to keep a program busy: no recording comes near. */
const MAX_STEPS = 2 ** 22

/** Resolves the references that `SharedValues` wrote, against what was read of a file so far. */
export class References {
  readonly #exchanges: Map<string, JsonObject> = new Map()
  #steps = 0

  /** Makes an exchange known; of two with one id the first counts, as when they were stored. */
  add(exchange: string, content: JsonObject): void {
    if (!this.#exchanges.has(exchange)) this.#exchanges.set(exchange, content)
  }

  /**
   * The value that a stored value at `pointer` stands for.
   *
   * @throws CassetteError `invalid-cassette` for a reference that leads nowhere.
   */
  resolve(value: JsonValue, pointer: string): JsonValue {
    if (Array.isArray(value)) return this.#resolveItems(value, pointer)
    if (!isJsonObject(value)) return value
    const wrapped = unwrapReserved(value)
    if (wrapped) return { $json: this.#resolveFields(wrapped, below(pointer, '$json')) }
    return '$same' in value ? this.#follow(value, pointer) : this.#resolveFields(value, pointer)
  }

  #resolveFields(value: JsonObject, pointer: string): JsonObject {
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([key, child]) => [key, this.resolve(child, below(pointer, key))]),
    )
  }

  #resolveItems(items: JsonValue[], pointer: string): JsonValue[] {
    const resolved: JsonValue[] = []
    for (const item of items) {
      const isRun = isJsonObject(item) && '$same' in item && 'count' in item
      if (isRun && !unwrapReserved(item)) {
        const { at, from = 0, count = 0 } = item
        const place = typeof at === 'string' ? at : pointer
        for (const one of this.#runOf(item, place, Number(from), Number(count))) resolved.push(one)
      } else resolved.push(this.resolve(item, below(pointer, resolved.length)))
    }
    return resolved
  }

  #follow(reference: JsonObject, pointer: string): JsonValue {
    const { first, rest = [], at } = reference
    if (first !== undefined && Array.isArray(rest)) {
      // How a list that begins like an earlier one was written at first.
      const run = this.#runOf(reference, pointer, 0, Number(first))
      const places = rest.map((_, index) => below(pointer, run.length + index))
      return [...run, ...rest.map((item, index) => this.resolve(item, places[index]!))]
    }
    const target = this.#valueAt(reference, typeof at === 'string' ? at : pointer)
    if (target === undefined) throw leadsNowhere(reference, pointer)
    return target
  }

  #runOf(reference: JsonObject, pointer: string, from: number, count: number): JsonValue[] {
    const target = this.#valueAt(reference, pointer)
    const isInside = from >= 0 && count > 0 && Number.isInteger(from) && Number.isInteger(count)
    if (!Array.isArray(target) || !isInside || from + count > target.length)
      throw leadsNowhere(reference, pointer)
    this.#count(count)
    return target.slice(from, from + count)
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

function leadsNowhere(reference: JsonObject, pointer: string): CassetteError {
  const place = pointer.replace(REQUEST_BODY, '')
  const { $same } = reference
  const name = typeof $same === 'string' ? $same : JSON.stringify($same)
  return new CassetteError(
    'invalid-cassette',
    `the reference to ${name} at ${place || '/'} leads nowhere`,
  )
}
