import type { SentHeaders } from '../../../secrets/wire-request.ts'
import type { WholeRequest } from '../call/whole-request.ts'

/** The options that fetch reads; a class can have some as getters. */
const FIELDS =
  'method headers body referrer referrerPolicy mode credentials cache redirect integrity keepalive signal window duplex dispatcher priority'.split(
    ' ',
  ) as Array<keyof RequestInit>

/**
 * Goes on with a copy of the options of a call: fetch reads each once, and the next read of a getter can give another
 * value. Rejects with what a getter throws, as fetch does.
 */
export function readOnce(
  init: RequestInit | undefined,
  goOn: (own: RequestInit | undefined) => Promise<Response>,
): Promise<Response> {
  if (!init || typeof init !== 'object') return goOn(init)
  let own: Record<string, unknown>
  try {
    own = { ...init }
    for (const name of FIELDS) if (name in init && !(name in own)) own[name] = init[name]
  } catch (error) {
    return Promise.reject(error as Error)
  }
  return goOn(own)
}

/** A JSON text posted by fetch, complete when fetch is called. Most LLM calls are one. */
export interface PlainRequest extends WholeRequest {
  body: string
}

/** The options of fetch that a plain request can have. Fetch itself reads a call with any other option. */
const PLAIN_FIELDS = new Set(['method', 'headers', 'body', 'signal', 'duplex', 'keepalive'])

/** Of any make: a polyfill of `AbortController` can have come before Node's own clients. */
function isSignal(signal: AbortSignal): boolean {
  return typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function'
}

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
  if (signal && (!isSignal(signal) || signal.aborted)) return undefined
  for (const field in init)
    if (!PLAIN_FIELDS.has(field) && init[field as keyof RequestInit] !== undefined) return undefined
  const url = String(input)
  if (PASSWORD.test(url)) return undefined
  const headers = readHeaders(given)
  if (!headers || !isPlainBody(headers)) return undefined
  return body.isWellFormed() ? { method, url, headers, body, signal } : undefined
}

/** False for a form, and for a text in another coding, which have to be decoded first. */
export function isPlainBody(headers: Pick<SentHeaders, 'get'>): boolean {
  if (typeof headers.get('content-encoding') === 'string') return false
  return !/^multipart|form-urlencoded/i.test(headers.get('content-type') ?? '')
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e]*$/

/**
 * Reads what a call gives as headers. Most give an object of plain texts, which is read in a small part of
 * the time that making `Headers` of it takes. `undefined` for what fetch refuses.
 */
export function readHeaders(given: HeadersInit | undefined): SentHeaders | undefined {
  try {
    // A copy: the caller may change its own for the next call.
    const headers =
      given instanceof Headers
        ? new Headers(given)
        : (readRecord(given ?? {}) ?? new Headers(given))
    // Node's fetch sends the host of the address, whatever it is given.
    if (!process.versions.bun) headers.delete('host')
    return headers
  } catch {
    return undefined
  }
}

/** `undefined` where `Headers` would change a name or value. */
function readRecord(given: HeadersInit): Map<string, string> | undefined {
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
