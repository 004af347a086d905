import type { NamedHeaders } from '../../../wire/message.ts'
import type { SentHeaders, WholeRequest } from './whole-request.ts'

/** A JSON text posted by fetch, complete when fetch is called. Most LLM calls are one. */
export interface PlainRequest extends WholeRequest {
  body: string
}

/** The options of fetch that a plain request can have. Fetch itself reads a call with any other option. */
const PLAIN_FIELDS = new Set(['method', 'headers', 'body', 'signal', 'duplex', 'keepalive'])

/** An address with a name or a password before its host, which fetch refuses. */
const PASSWORD = /^\w+:\/*[^/?#]*@/

/**
 * Reads the arguments of fetch as a plain request; `undefined` for other requests, and for those that fetch refuses.
 */
export function plainRequest(
  input: unknown,
  init: RequestInit | undefined,
): PlainRequest | undefined {
  if (!init || (typeof input !== 'string' && !(input instanceof URL))) return undefined
  const { method, body, headers: given, signal } = init
  if (method !== 'POST' || typeof body !== 'string' || body === '') return undefined
  if (signal && (!(signal instanceof AbortSignal) || signal.aborted)) return undefined
  for (const field in init)
    if (!PLAIN_FIELDS.has(field) && init[field as keyof RequestInit] !== undefined) return undefined
  const url = String(input)
  if (PASSWORD.test(url)) return undefined
  const headers = readHeaders(given)
  if (!headers || isEncoded(headers) || !body.isWellFormed()) return undefined
  return { method, url, headers, body, signal }
}

/** Whether the text is a form, or travels in another coding: then it has to be decoded first. */
function isEncoded(headers: NamedHeaders): boolean {
  return (
    typeof headers.get('content-encoding') === 'string' ||
    /^multipart|form-urlencoded/i.test(headers.get('content-type') ?? '')
  )
}

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
