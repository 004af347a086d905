import type { JsonObject, JsonValue } from './json-value.ts'
import { fold } from './walk.ts'
import { isPattern } from '../text/is-pattern.ts'
import type { PackedPlace } from './unpack.ts'

/**
 * A value as JSON text, with the regular expressions and infinite numbers that JSON cannot hold. The text survives every
 * channel between processes; the value does not: some channels clone it, others send it as JSON.
 *
 * @param refuse makes the error for a part that is not data: its place, and what it is
 */
export function packValue(value: object, refuse: (place: string, what: string) => Error): string {
  const special: PackedPlace[] = []
  type Copy = (part: JsonValue, place: string[]) => JsonValue
  const copyOne = (part: unknown, place: string[], copy: Copy): JsonValue => {
    if (isPattern(part)) special.push([place, part.source, part.flags])
    else if (part === Infinity) special.push([place])
    else if (Array.isArray(part))
      return Array.from(part as JsonValue[], (item, at) => copy(item, [...place, String(at)]))
    else if (isPlain(part))
      return Object.fromEntries(
        Object.entries(part as JsonObject).map(([key, child]) => [
          key,
          copy(child, [...place, key]),
        ]),
      )
    else if (!isJson(part)) throw refuse(place.join('.'), describe(part))
    else return part as JsonValue
    return null
  }
  return JSON.stringify([fold(value as JsonValue, [] as string[], copyOne), special])
}

/** True for a plain object, also of another realm. */
function isPlain(part: unknown): part is object {
  if (typeof part !== 'object' || part === null) return false
  const prototype = Object.getPrototypeOf(part) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function isJson(part: unknown): boolean {
  return (
    part === undefined ||
    part === null ||
    ['string', 'boolean'].includes(typeof part) ||
    Number.isFinite(part)
  )
}

function describe(part: unknown): string {
  if (typeof part === 'function') return 'a function'
  if (typeof part !== 'object') return String(part)
  return `an object of the class ${part!.constructor?.name || 'without a name'}`
}
