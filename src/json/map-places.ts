import { type JsonValue, mapInside } from './json-value.ts'

type At = readonly string[]

/** Puts other values in the places of a value; looks into those for which `change` has none. */
export function mapPlaces(
  value: JsonValue,
  change: (value: JsonValue, at: At) => JsonValue | undefined,
  at: At = [],
): JsonValue {
  const changed = change(value, at)
  if (changed !== undefined) return changed
  return mapInside(value, (child, key) => mapPlaces(child, change, [...at, key]))
}
