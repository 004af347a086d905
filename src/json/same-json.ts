import { isRawNumber, type JsonObject, type JsonValue } from './json-value.ts'

/** Whether two values are the same JSON, in whatever order their keys stand; one walk, as deep as they are. */
export function sameJson(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true
  if (!isContainer(one) || !isContainer(other)) return false
  if (Array.isArray(one) !== Array.isArray(other) || isRawNumber(one) !== isRawNumber(other))
    return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key]!, other[key]!))
}

/** A list, an object, or a number that is kept as it was spelled. */
function isContainer(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null
}
