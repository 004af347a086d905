import { isJsonObject, type JsonValue } from './json-value.ts'

/** A copy whose objects have their keys in order, so that two spellings of one value look the same. */
export function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  const sorted = Object.keys(value).sort()
  return Object.fromEntries(sorted.map((key) => [key, sortKeys(value[key]!)]))
}
