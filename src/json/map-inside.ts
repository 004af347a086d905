import { isRawNumber, type JsonValue } from './json-value.ts'

/** A value with each of its items or fields changed; the same value where none changed. */
export function mapInside(
  value: JsonValue,
  change: (child: JsonValue, key: string) => JsonValue,
): JsonValue {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  let isSame = true
  const inside = Object.entries(value).map(([key, child]) => {
    const changed = change(child, key)
    isSame &&= changed === child
    return [key, changed] as const
  })
  if (isSame) return value
  return Array.isArray(value) ? inside.map(([, child]) => child) : Object.fromEntries(inside)
}
