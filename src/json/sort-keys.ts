import { isJsonObject, type JsonValue } from './json-value.ts'
import { isOrdered } from './key-order.ts'

/**
 * A copy whose objects have their keys in order, so that two spellings of one value look the same. The properties of
 * schemas keep the order in which they are.
 */
export function sortKeys(value: JsonValue): JsonValue {
  return sort(value, false)
}

function sort(value: JsonValue, isKept: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => sort(item, false))
  if (!isJsonObject(value)) return value
  const keys = isKept ? Object.keys(value) : Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sort(value[key]!, isOrdered(key))]))
}
