import type { NamedHeaders } from '../../wire/message.ts'

/** The headers of a request, their names in lower case. */
export type SentHeaders = NamedHeaders & Iterable<[name: string, value: string]>

/** A request as it was sent, read to its end. */
export interface WholeRequest {
  method: string
  url: string
  headers: SentHeaders
  /** A text where the client sent one without a content coding; else the bytes as they are sent. */
  body: string | ArrayBuffer
  /** Aborts when the client gives the request up. */
  signal?: AbortSignal | null
}

/** Reads a request to its end, unless it is read already. */
export async function readWhole(request: Request | WholeRequest): Promise<WholeRequest> {
  if (!('arrayBuffer' in request)) return request
  const { method, url, headers, signal } = request
  return { method, url, headers, body: await request.arrayBuffer(), signal }
}
