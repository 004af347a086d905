import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Part } from '../../prompt/prompt.ts'
import type { PartReader } from '../content.ts'
import { arrayOf, type Field, objectOf } from '../fields.ts'
import { Remainder } from './remainder.ts'

/** An object of a message while it is read: what nobody takes goes to the rest. */
export class Taken {
  readonly #object: JsonObject
  readonly #names: Set<string> = new Set()
  readonly #inner: Map<string, Taken> = new Map()

  constructor(object: Field) {
    this.#object = objectOf(object)
  }

  /** Takes a field, whatever it is. */
  any(name: string): Field {
    this.#names.add(name)
    return this.#object[name]
  }

  /** Takes a text; anything else stays. */
  text(name: string): string | undefined {
    const value = this.#object[name]
    return typeof value === 'string' ? (this.any(name) as string) : undefined
  }

  /** The first of several fields that is a text. */
  firstText(...names: string[]): [name: string, text: string] | undefined {
    const name = names.find((one) => typeof this.#object[one] === 'string')
    return name === undefined ? undefined : [name, this.text(name)!]
  }

  /** Takes what is neither `null` nor an empty list. */
  filled(name: string): Field {
    const value = this.#object[name] ?? undefined
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
    return isEmpty ? undefined : this.any(name)
  }

  /** Takes a list that is not empty. */
  list(name: string): JsonValue[] {
    return Array.isArray(this.#object[name]) ? arrayOf(this.filled(name)) : []
  }

  /** Takes a field that has this value, and so says nothing more. */
  is(name: string, value: string): boolean {
    return this.#object[name] === value && this.any(name) === value
  }

  /** Whether there is an object in a field. */
  holds(name: string): boolean {
    return isJsonObject(this.#object[name])
  }

  /** The object in a field, whose own fields are taken one by one. */
  inner(name: string): Taken {
    const inner = new Taken(this.any(name))
    this.#inner.set(name, inner)
    return inner
  }

  /** Keeps what was not taken. */
  keep(path: string, rest: Remainder): void {
    rest.keep(path, this.#object, [...this.#names])
    for (const [name, inner] of this.#inner) inner.keep(path ? `${path}.${name}` : name, rest)
  }

  /** What was not taken, as `extra`, which is absent if there is nothing. */
  get extra(): { extra?: JsonObject } {
    const rest = new Remainder()
    this.keep('', rest)
    return rest.extra
  }
}

/** Reads a part by taking its fields. Nothing is kept of one that is not known. */
export function takePart(
  read: (part: Taken, path: string, rest: Remainder) => Part | undefined,
): PartReader {
  return (value, path, rest) => {
    const taken = new Taken(value)
    const part = read(taken, path, rest)
    if (part) taken.keep(path, rest)
    return part
  }
}
