import type { SentHeaders } from './whole-request.ts'

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e]*$/

/**
 * Reads what a call gives as headers. Most give an object of plain texts, which is read in a small part of
 * the time that making `Headers` of it takes. `undefined` for what fetch refuses.
 */
export function readHeaders(given: HeadersInit | undefined): SentHeaders | undefined {
  if (given instanceof Headers) return given
  try {
    return readRecord(given ?? {}) ?? new Headers(given)
  } catch {
    return undefined
  }
}

/** `undefined` where `Headers` would change a name or value. */
function readRecord(given: HeadersInit): SentHeaders | undefined {
  if (Symbol.iterator in given) return undefined
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
    const key = name.toLowerCase()
    const isPlain = typeof value === 'string' && VALUE.test(value) && value.trim() === value
    if (!isPlain || !NAME.test(name) || headers.has(key)) return undefined
    headers.set(key, value)
  }
  return headers
}
