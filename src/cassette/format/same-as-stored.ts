import { CassetteError } from '../../errors.ts'
import { isOrdered, sameInOrder } from '../../json/key-order.ts'
import { isRawNumber, type JsonObject, type JsonValue } from '../../json/json-value.ts'

/**
 * Whether a value is the JSON that a stored value without references stands for, with the properties of schemas in the
 * same order. Ends at the first difference, and makes no copy.
 *
 * @param decode decodes what is rare
 */
export function sameAsStored(
  stored: JsonValue,
  value: JsonValue,
  decode: (stored: JsonValue) => JsonValue,
  isHere: boolean = false,
): boolean {
  if (stored === value) return true
  if (typeof stored !== 'object' || stored === null) return false
  if (Array.isArray(stored))
    return (
      Array.isArray(value) &&
      stored.length === value.length &&
      stored.every((item, at) => sameAsStored(item, value[at]!, decode))
    )
  const keys = Object.keys(stored)
  const fields = stored as JsonObject
  if (keys.length === 1 && keys[0] === '$text')
    return typeof value === 'string' && joinPieces(fields.$text) === value
  for (const key of keys) if (key[0] === '$') return sameInOrder(decode(stored), value, isHere)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const others = Object.keys(value)
  return (
    keys.length === others.length &&
    isRawNumber(stored) === isRawNumber(value) &&
    keys.every(
      (key, at) =>
        (isHere ? key === others[at] : Object.hasOwn(value, key)) &&
        sameAsStored(fields[key]!, (value as JsonObject)[key]!, decode, isOrdered(key)),
    )
  )
}

/** The text that is stored in pieces. */
export function joinPieces(pieces: JsonValue | undefined): string {
  if (Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string'))
    return pieces.join('')
  throw new CassetteError('invalid-cassette', '$text holds something that is no text')
}
