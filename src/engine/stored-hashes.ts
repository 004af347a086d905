import { sha256 } from '../prompt/sha256.ts'
import { canonicalHeaders } from '../providers/asking-headers.ts'
import { type Body, writeBody } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'
import { addressOf } from './incoming.ts'

/**
 * The hash of a request as it was sent, which is faster to count than that of its canonical form; empty where the
 * stored request does not tell how it was sent. Secrets and parameters have to be replaced already.
 *
 * @param sent the body as it was sent, which a live request does not keep; without it, the stored one is written
 */
export function rawHashOf(request: WireRequest, sent?: string | Uint8Array): string {
  const { method, url, headers = {}, body, older, imported } = request
  const content = sent ?? writeWhole(body)
  if (older || imported || content === undefined) return ''
  const { endpoint, path } = addressOf(url)
  const lines = canonicalHeaders(headers).map((line) => `${line}\n`)
  const head = `${method} ${endpoint}${path}${new URL(url).search}\n${lines.join('')}\n`
  return sha256(
    typeof content === 'string' ? head + content : Buffer.concat([Buffer.from(head), content]),
    'base64url',
  )
}

/** The bytes of a body; `undefined` for a form, whose boundary nobody stores. */
function writeWhole(body: Body): Uint8Array | undefined {
  return body.kind === 'form' ? undefined : Buffer.concat(writeBody(body))
}

/** The hash of a response as a file stores it, with all that people read in it. */
export function responseHashOf(stored: object): string {
  return sha256(JSON.stringify(stored), 'base64url')
}
