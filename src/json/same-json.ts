import { isRawNumber, type JsonObject, type JsonValue } from './json-value.ts'
import { isOrdered } from './key-order.ts'

/** Whether two values are the same JSON, in whatever order their keys stand; one walk, as deep as they are. */
export function sameJson(one: JsonValue, other: JsonValue): boolean {
  return isSame(one, other, false, false)
}

/** As {@link sameJson}, where the properties of schemas stand in the same order too. */
export function sameInOrder(one: JsonValue, other: JsonValue): boolean {
  return isSame(one, other, true, false)
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
