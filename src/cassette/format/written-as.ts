import { endOfString, isRawNumber, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { isOrdered } from '../../json/key-order.ts'
import { joinPieces } from './same-as-stored.ts'

/** Decodes what is rare in a stored value; absent for one that is decoded already. */
type Decode = (stored: JsonValue) => JsonValue

/** What stands in no JSON but between its values, and there only to be read. */
// oxlint-disable-next-line no-control-regex -- asks for control characters
const CONTROL = /[\x00-\x1f]/

/**
 * Whether a text is the compact JSON, as `JSON.stringify` writes it, that a stored value without references stands for.
 * Nothing is parsed and nothing copied: most requests are written as they were when they were recorded. `false` says
 * only that the text has to be read.
 *
 * @param decode decodes what is rare
 */
export function isWrittenAs(stored: JsonValue, text: string, decode: Decode): boolean {
  // With this, a text that stands in the JSON as it is needs to be searched for two characters alone.
  if (!stored || typeof stored !== 'object' || CONTROL.test(text)) return false
  return endOf(stored, text, 0, decode) === text.length
}

/** The place behind a value, if it stands at a place of the text; else -1. */
function endOf(
  stored: JsonValue,
  text: string,
  at: number,
  decode?: Decode,
  isHere?: boolean,
): number {
  if (typeof stored === 'string') return endOfText(stored, text, at)
  if (typeof stored !== 'object' || stored === null) return endOfSpelling(String(stored), text, at)
  if (Array.isArray(stored)) return endOfItems(stored, text, at, decode)
  if (isRawNumber(stored)) return endOfSpelling(stored.rawJSON, text, at)
  const keys = Object.keys(stored)
  if (decode) {
    if (keys.length === 1 && keys[0] === '$text')
      return endOfText(joinPieces(stored.$text), text, at)
    for (const key of keys)
      if (key[0] === '$') return endOf(decode(stored), text, at, undefined, isHere)
  }
  // More fields than an integer has bits are rare.
  return keys.length > 31 ? -1 : endOfFields(stored, keys, text, at, decode, isHere)
}

function endOfItems(items: JsonValue[], text: string, at: number, decode?: Decode): number {
  if (items.length === 0) return endOfSpelling('[]', text, at)
  let end = at
  for (let index = 0; index < items.length; index++) {
    if (text[end] !== (index === 0 ? '[' : ',')) return -1
    end = endOf(items[index]!, text, end + 1, decode)
    if (end < 0) return -1
  }
  return text[end] === ']' ? end + 1 : -1
}

/** The fields stand in the order of the text, whatever that of a cassette; those of a schema keep theirs. */
function endOfFields(
  fields: JsonObject,
  keys: string[],
  text: string,
  at: number,
  decode?: Decode,
  isHere: boolean = false,
): number {
  if (keys.length === 0) return endOfSpelling('{}', text, at)
  let end = at
  let seen = 0
  for (let count = 0; count < keys.length; count++) {
    if (text[end] !== (count === 0 ? '{' : ',') || text[end + 1] !== '"') return -1
    const close = text.indexOf('"', end + 2)
    const key = text.slice(end + 2, close)
    const place = isHere ? count : keys.indexOf(key)
    const isNext = keys[place] === key && !(seen & (1 << place)) && !key.includes('\\')
    if (!isNext || text[close + 1] !== ':') return -1
    seen |= 1 << place
    end = endOf(fields[key]!, text, close + 2, decode, isOrdered(key))
    if (end < 0) return -1
  }
  return text[end] === '}' ? end + 1 : -1
}

/** As {@link endOf}, of a text. One that JSON has to escape is parsed, and nothing around it. */
function endOfText(part: string, text: string, at: number): number {
  if (text[at] !== '"') return -1
  // In a text without control characters, JSON escapes nothing else.
  if (part.includes('"') || part.includes('\\') || part.includes('\n')) {
    const end = endOfString(text, at) + 1
    return readText(text.slice(at, end)) === part ? end : -1
  }
  const end = endOfSpelling(part, text, at + 1)
  return end > 0 && text[end] === '"' ? end + 1 : -1
}

function readText(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function endOfSpelling(spelled: string, text: string, at: number): number {
  const end = at + spelled.length
  // Many times faster than `startsWith`.
  return text.slice(at, end) === spelled ? end : -1
}
