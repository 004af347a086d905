import { readRequestBody, readText, type Body } from '../wire/body.ts'
import { decodeContent } from '../wire/content-coding.ts'
import { keepAskingHeaders, type WireRequest } from '../wire/message.ts'
import { keptUrl } from './kept-url.ts'
import type { SentHeaders, WholeRequest } from './whole-request.ts'

const read = new WeakMap<WholeRequest, WireRequest>()

/** What is kept and compared of a request; read once, though it is first answered at once where that is possible. */
export function wireRequest(request: WholeRequest): WireRequest {
  const known = read.get(request)
  if (known) return known
  const wire = readWire(request)
  read.set(request, wire)
  return wire
}

function readWire({ method, url, headers, body }: WholeRequest): WireRequest {
  return {
    method,
    url: keptUrl(url),
    ...keepAskingHeaders(headers),
    body: typeof body === 'string' ? readText(body, false) : readBytes(body, headers),
  }
}

function readBytes(body: ArrayBuffer, headers: SentHeaders): Body {
  const bytes = decodeContent(new Uint8Array(body), headers.get('content-encoding'))
  return readRequestBody(bytes, headers.get('content-type') ?? '')
}
