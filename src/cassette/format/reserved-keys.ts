import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'

/** Keys with a meaning of their own in a stored body; real objects that use them are wrapped. */
const RESERVED = [
  '$same',
  '$blob',
  '$json',
  '$stringified',
  '$text',
  '$events',
  '$lines',
  '$frames',
  '$form',
  '$base64',
]

/** Wraps an object that uses a reserved key as `{ "$json": … }`. */
export function wrapReserved(value: JsonObject): JsonObject {
  return RESERVED.some((key) => Object.hasOwn(value, key)) ? { $json: value } : value
}

/** The object inside of a wrapped one, or `undefined` for an object that is not wrapped. */
export function unwrapReserved(value: JsonObject): JsonObject | undefined {
  return isJsonObject(value.$json) ? value.$json : undefined
}

/** Whether a value uses a reserved key anywhere. Most events and answers do not. */
export function hasReserved(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (const item of value) if (hasReserved(item)) return true
    return false
  }
  for (const key in value) {
    if (key[0] === '$' && RESERVED.includes(key)) return true
    if (hasReserved((value as JsonObject)[key]!)) return true
  }
  return false
}
