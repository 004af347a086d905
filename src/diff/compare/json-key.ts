import { isRawNumber, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { isCallMark } from '../../prompt/call-ids.ts'
import { canonicalBody } from '../../prompt/canonical.ts'

/** A key that two values share exactly if they are equal, whatever the order of their keys. */
export function jsonKey(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isRawNumber(value)) return jsonKey(canonicalBody(value))
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(',')}]`
  const fields = keysOf(value).sort()
  return `{${fields.map((key) => `${JSON.stringify(key)}:${jsonKey(value[key]!)}`).join(',')}}`
}

/** The keys of an object that would be sent: `undefined` is as good as absent. */
export function keysOf(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined)
}

/** A copy without the marks that stand for the ids of calls, since matching renumbers them. */
export function omitCallIds(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  if (Array.isArray(value)) return value.map(omitCallIds)
  // Without a prototype, a key named `__proto__` is a key like any other.
  const copy: JsonObject = Object.create(null)
  for (const key of keysOf(value)) if (!isCallMark(value[key])) copy[key] = omitCallIds(value[key]!)
  return copy
}
