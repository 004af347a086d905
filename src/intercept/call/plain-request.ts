import type { NamedHeaders } from '../../wire/message.ts'
import { readHeaders } from './read-headers.ts'
import type { WholeRequest } from './whole-request.ts'

/** A JSON text posted through fetch, of which all is known where it is asked. Most LLM calls are one. */
export interface PlainRequest extends WholeRequest {
  body: string
}

/** What a call may say of a plain request; all else is for fetch to judge. */
const PLAIN_FIELDS = new Set(['method', 'headers', 'body', 'signal', 'duplex', 'keepalive'])

/** An address with a name or a password before its host, which fetch refuses. */
const PASSWORD = /^\w+:\/*[^/?#]*@/

/** Reads the arguments of fetch as a plain request; `undefined` for all that is none or would fail. */
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
