import { isRawNumber, type JsonObject, type JsonValue } from './json-value.ts'

/** The names of the properties of a JSON schema, and of the older form of it in Cohere's first API. */
const ORDERED = new Set(['properties', 'parameter_definitions'])

/**
 * True for a key whose object means something by the order of its keys. Models write the properties of their output,
 * and the arguments of a call, in the order of the schema: a reason before a verdict is another task than one after it.
 */
export function isOrdered(key: string): boolean {
  return ORDERED.has(key)
}

/** Whether two values are the same JSON, in whatever order their keys stand; one walk, as deep as they are. */
export function sameJson(one: JsonValue, other: JsonValue): boolean {
  return isSame(one, other, false, false)
}

/**
 * As {@link sameJson}, where the properties of schemas stand in the same order too.
 *
 * @param isHere whether the values are such properties themselves
 */
export function sameInOrder(one: JsonValue, other: JsonValue, isHere: boolean = false): boolean {
  return isSame(one, other, true, isHere)
}

function isSame(one: JsonValue, other: JsonValue, isOrder: boolean, isHere: boolean): boolean {
  if (one === other) return true
  if (!isContainer(one) || !isContainer(other)) return false
  if (Array.isArray(one) !== Array.isArray(other) || isRawNumber(one) !== isRawNumber(other))
    return false
  const keys = Object.keys(one)
  const others = Object.keys(other)
  if (keys.length !== others.length) return false
  if (isHere && keys.some((key, at) => key !== others[at])) return false
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) &&
      isSame(one[key]!, other[key]!, isOrder, isOrder && isOrdered(key)),
  )
}

/** A list, an object, or a number that is kept as it was spelled. */
function isContainer(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null
}
