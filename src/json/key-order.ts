import { isJsonObject, type JsonValue } from './json-value.ts'

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
