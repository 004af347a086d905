import { isContainer, isRawNumber, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { canonicalBody } from './canonical.ts'
import { isOrdered } from '../json/key-order.ts'
import { isCallMark } from './call-ids.ts'
/**
 * A key that two values share exactly if they are equal, whatever the order of their keys; the properties of schemas
 * have to stand in the same order.
 */
export function jsonKey(value: JsonValue): string {
  return keyOf(value, false)
}

function keyOf(value: JsonValue, inOrder: boolean): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isRawNumber(value)) return keyOf(canonicalBody(value), false)
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(',')}]`
  const fields = inOrder ? keysOf(value) : keysOf(value).sort()
  const keyed = fields.map((key) => `${JSON.stringify(key)}:${keyOf(value[key]!, isOrdered(key))}`)
  return `{${keyed.join(',')}}`
}

/** The keys of an object that would be sent: `undefined` is as good as absent. */
export function keysOf(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined)
}

/** A copy without the marks that stand for the ids of calls, since matching renumbers them. */
export function omitCallIds(value: JsonValue): JsonValue {
  if (!isContainer(value)) return value
  if (Array.isArray(value)) return value.map(omitCallIds)
  // Without a prototype, a key named `__proto__` is a key like any other.
  const copy: JsonObject = Object.create(null)
  for (const key of keysOf(value)) if (!isCallMark(value[key])) copy[key] = omitCallIds(value[key]!)
  return copy
}
