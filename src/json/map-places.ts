import { isContainer, type JsonValue, mapInside } from './json-value.ts'

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

/**
 * Visits a value and all inside of it, with their places; stays out of those for which `visit` returns true.
 *
 * @param visit gets a place that is valid during the call alone
 */
export function visitPlaces(
  value: JsonValue,
  visit: (value: JsonValue, at: At) => boolean,
  at: string[] = [],
): void {
  if (visit(value, at) || !isContainer(value)) return
  for (const [key, child] of Object.entries(value)) {
    at.push(key)
    visitPlaces(child, visit, at)
    at.pop()
  }
}
