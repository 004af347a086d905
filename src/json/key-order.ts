import { isJsonObject, type JsonValue } from './json-value.ts'
import { equal, fold } from './walk.ts'

/** The names of the properties of a JSON schema, and of the older form of it in Cohere's first API. */
const ORDERED = new Set(['properties', 'parameter_definitions'])

/**
 * True for a key whose object means something by the order of its keys. Models write the properties of their output,
 * and the arguments of a call, in the order of the schema: a reason before a verdict is another task than one after it.
 */
export function isOrdered(key: string): boolean {
  return ORDERED.has(key)
}

/**
 * Whether two values are the same JSON, in whatever order their keys stand, but for the properties of schemas.
 *
 * @param isHere whether the values are such properties themselves
 */
export function sameInOrder(one: JsonValue, other: JsonValue, isHere: boolean = false): boolean {
  return equal(one, other, isOrdered, isHere)
}

/**
 * A copy whose objects have their keys in order, so that two spellings of one value look the same. The properties of
 * schemas keep the order in which they are.
 */
export function sortKeys(value: JsonValue): JsonValue {
  return fold(value, false, (one, isKept, inside): JsonValue => {
    if (Array.isArray(one)) return one.map((item) => inside(item, false))
    if (!isJsonObject(one)) return one
    const keys = isKept ? Object.keys(one) : Object.keys(one).sort()
    return Object.fromEntries(keys.map((key) => [key, inside(one[key]!, isOrdered(key))]))
  })
}
