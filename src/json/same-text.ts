import { isRawNumber, type JsonValue } from './json-value.ts'

/** Whether two values are the same JSON, their keys in the same order: written, they are the same text. */
export function sameText(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (Array.isArray(one) !== Array.isArray(other) || isRawNumber(one) !== isRawNumber(other))
    return false
  const [keys, others] = [Object.entries(one), Object.entries(other)]
  return (
    keys.length === others.length &&
    keys.every(([key, value], at) => key === others[at]![0] && sameText(value, others[at]![1]))
  )
}
