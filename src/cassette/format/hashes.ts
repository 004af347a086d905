import { shortSha256 } from '../../prompt/request-hash.ts'
import { textOf, writeBody } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'
import { rawHead } from '../../providers/raw-hash.ts'
import type { StoredExchange } from './stored.ts'

/**
 * The hash of a request as it was sent, which is faster to count than that of its canonical form; empty where the
 * stored request does not tell how it was sent: of a form, nobody stores the boundary. Secrets and parameters have to be replaced already.
 */
export function rawHashOf({ method, url, headers = {}, body, imported }: WireRequest): string {
  if (imported || body.kind === 'form') return ''
  const head = rawHead(method, url, headers)
  if (body.kind === 'bytes' || body.kind === 'frames')
    return shortSha256(Buffer.concat([Buffer.from(head), ...writeBody(body)]))
  // A text is not copied first: a conversation repeats its screenshots in every request.
  return shortSha256(head + textOf(body))
}

/** The hash of a response: of all that its exchange has of it. It shows an edit, and is no signature. */
export function hashResponse(response: StoredExchange['response']): string {
  return shortSha256(JSON.stringify(response))
}
