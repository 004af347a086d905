import { isRawNumber } from './json-value.ts'

/** A deep copy whose numbers are plain numbers, as `JSON.parse` would have read them. */
export function copyPlain<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (isRawNumber(value)) return Number(value.rawJSON) as Value
  if (Array.isArray(value)) return value.map(copyPlain) as Value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, copyPlain(child)]),
  ) as Value
}
