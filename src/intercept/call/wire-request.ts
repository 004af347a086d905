import { readRequestBody, readText, type Body } from '../../wire/body.ts'
import { decodeContent } from '../../wire/content-coding.ts'
import { keepAskingHeaders } from '../../wire/asking-headers.ts'
import type { WireRequest } from '../../wire/message.ts'
import { digestIn, keptUrl } from './kept-url.ts'
import type { SentHeaders, WholeRequest } from './whole-request.ts'

/** The parts of a request that are stored and compared. */
export function wireRequest({ method, url, headers, body }: WholeRequest): WireRequest {
  const digest = digestIn(url, headers)
  return {
    method,
    url: keptUrl(url, digest),
    ...keepAskingHeaders(headers, digest),
    body: typeof body === 'string' ? readText(body, false) : readBytes(body, headers),
  }
}

function readBytes(body: ArrayBuffer, headers: SentHeaders): Body {
  const bytes = decodeContent(new Uint8Array(body), headers.get('content-encoding'))
  return readRequestBody(bytes, headers.get('content-type') ?? '')
}
