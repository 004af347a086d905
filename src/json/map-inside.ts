import { isJsonObject, type JsonValue } from './json-value.ts'

/** Changes the items of a list or the fields of an object; returns the same value if none of them changed. */
export function mapInside(
  value: JsonValue,
  change: (child: JsonValue, key: string) => JsonValue,
): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => change(item, String(index)))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, child]) => [key, change(child, key)] as const)
  // Built from entries, a key named `__proto__` is a key like any other.
  return entries.every(([key, child]) => child === value[key]) ? value : Object.fromEntries(entries)
}
