import { CassetteError } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../json/json-value.ts'

/** Keys with a meaning of their own in a stored body; real objects that use them are wrapped. */
const RESERVED = [
  '$same',
  '$blob',
  '$json',
  '$stringified',
  '$text',
  '$events',
  '$lines',
  '$frames',
  '$form',
  '$base64',
]

/** Wraps an object that uses a reserved key as `{ "$json": … }`. */
export function wrapReserved(value: JsonObject): JsonObject {
  return RESERVED.some((key) => Object.hasOwn(value, key)) ? { $json: value } : value
}

/** The object inside of a wrapped one, or `undefined` for an object that is not wrapped. */
export function unwrapReserved(value: JsonObject): JsonObject | undefined {
  return isJsonObject(value.$json) ? value.$json : undefined
}

/** Whether a value can use a reserved key anywhere. Most events and answers do not. */
export function mayHaveReserved(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mayHaveReserved)
  if (typeof value !== 'object') return false
  for (const key in value)
    if (key[0] === '$' || mayHaveReserved(value[key as keyof typeof value])) return true
  return false
}

/**
 * Refuses keys beside those that are known: a newer version may add some, which could change the value.
 *
 * @throws CassetteError `invalid-cassette`
 */
export function refuseBeside(value: JsonObject, ...known: string[]): void {
  for (const key in value)
    if (!known.includes(key))
      throw new CassetteError(
        'invalid-cassette',
        `${known[0]} holds something that is unknown: ${key}`,
      )
}
