import { endOfString, isRawNumber, type JsonObject, type JsonValue } from './json-value.ts'

/** Whether a key stands twice in an object of a JSON text: the text has more keys than its value. */
export function hasKeyTwice(text: string, value: JsonValue): boolean {
  return countKeys(text) !== countFields(value)
}

/** Counts the texts before a colon. */
function countKeys(text: string): number {
  let count = 0
  for (let open = text.indexOf('"'); open >= 0;) {
    const close = endOfString(text, open)
    let next = close + 1
    while (isSpace(text.charCodeAt(next))) next++
    if (text.charCodeAt(next) === COLON) count++
    open = text.indexOf('"', next)
  }
  return count
}

function countFields(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += countFields(item)
  else for (const key in value) count += 1 + countFields((value as JsonObject)[key]!)
  return count
}

const COLON = 0x3a

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
