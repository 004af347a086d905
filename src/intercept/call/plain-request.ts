import type { NamedHeaders } from '../../wire/message.ts'
import { readHeaders } from './read-headers.ts'
import type { WholeRequest } from './whole-request.ts'

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
