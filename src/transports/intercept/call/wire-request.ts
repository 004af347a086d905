import zlib from 'node:zlib'
import { type Body, readRequestBody, readText } from '../../../wire/body.ts'
import { keepAskingHeaders } from '../../../wire/headers.ts'
import type { WireRequest } from '../../../wire/message.ts'
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

/** The decoders of HTTP's content codings; Node has one for zstd from 22.15 on. */
const DECODERS: Record<string, ((bytes: Uint8Array) => Uint8Array) | undefined> = {
  br: zlib.brotliDecompressSync,
  deflate: zlib.inflateSync,
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  zstd: zlib.zstdDecompressSync,
}

/** Decodes a compressed body; returns it unchanged if it cannot be decoded. */
export function decodeContent(
  bytes: Uint8Array,
  contentEncoding: string | null | undefined,
): Uint8Array {
  if (!contentEncoding || bytes.length === 0) return bytes
  // The last coding named was applied last.
  const codings = contentEncoding.toLowerCase().split(',').reverse()
  try {
    return codings.reduce((content, coding) => decode(content, coding.trim()), bytes)
  } catch {
    return bytes
  }
}

function decode(bytes: Uint8Array, coding: string): Uint8Array {
  if (coding === 'identity') return bytes
  const decoder = DECODERS[coding]
  if (!decoder) throw new TypeError(`No decoder for the content coding ${coding}`)
  return decoder(bytes)
}
