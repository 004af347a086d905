import { isContainer, isRawNumber, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { isOrdered } from '../json/key-order.ts'
import { fold } from '../json/walk.ts'
import { canonicalBody } from './canonical.ts'
import { isCallMark } from './call-ids.ts'
/**
 * A key that two values share exactly if they are equal, whatever the order of their keys; the properties of schemas
 * have to stand in the same order.
 */
export function jsonKey(value: JsonValue): string {
  return fold(value, false, (one, inOrder, inside): string => {
    if (typeof one !== 'object' || one === null) return JSON.stringify(one)
    if (isRawNumber(one)) return JSON.stringify(canonicalBody(one))
    if (Array.isArray(one)) return `[${one.map((item) => inside(item, false)).join(',')}]`
    const fields = inOrder ? keysOf(one) : keysOf(one).sort()
    const keyed = fields.map((key) => `${JSON.stringify(key)}:${inside(one[key]!, isOrdered(key))}`)
    return `{${keyed.join(',')}}`
  })
}

/** The keys of an object that would be sent: `undefined` is as good as absent. */
export function keysOf(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined)
}

/** A copy without the marks that stand for the ids of calls, since matching renumbers them. */
export function omitCallIds(value: JsonValue): JsonValue {
  return fold(value, undefined, (one, _, inside): JsonValue => {
    if (!isContainer(one)) return one
    if (Array.isArray(one)) return one.map((item) => inside(item, undefined))
    // Without a prototype, a key named `__proto__` is a key like any other.
    const copy: JsonObject = Object.create(null)
    for (const key of keysOf(one))
      if (!isCallMark(one[key])) copy[key] = inside(one[key]!, undefined)
    return copy
  })
}
