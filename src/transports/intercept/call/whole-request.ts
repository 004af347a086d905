import { CassetteError } from '../../../errors.ts'
import type { OutgoingRequest } from '../../../secrets/wire-request.ts'

/** A request as it was sent, read to its end. */
export interface WholeRequest extends OutgoingRequest {
  /** Aborts when the client gives the request up. */
  signal?: AbortSignal | null
}

/** Reads a request to its end, unless it is read already. */
export async function readWhole(request: Request | WholeRequest): Promise<WholeRequest> {
  if (!('arrayBuffer' in request)) return request
  const { method, url, headers, signal } = request
  const body = await request.arrayBuffer()
  const length = headers.get('content-length')
  if (length !== null && Number(length) !== body.byteLength)
    throw new CassetteError(
      'refused',
      `Of ${length} bytes of a request, ${body.byteLength} could be read, so it can be neither recorded nor replayed, and is not sent.\n` +
        'The test has probably replaced something that reading it needs, such as a function of Buffer: restore that before the call.',
    )
  return { method, url, headers, body, signal }
}
