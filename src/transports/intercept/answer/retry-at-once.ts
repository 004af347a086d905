import type { WireResponse } from '../../../wire/message.ts'

/** Statuses that SDKs ask again after, besides those of servers that failed. */
const RETRIED: readonly number[] = [408, 409, 429]

/**
 * A recorded error that tells SDKs to try again at once. The recorded wait, or that of an SDK which is told none, can take
 * longer than a test may in replay.
 */
export function retriedAtOnce(response: WireResponse): WireResponse {
  const { status, headers } = response
  if (status < 500 && !RETRIED.includes(status)) return response
  const after = headers['retry-after'] === undefined ? headers : { ...headers, 'retry-after': '0' }
  return { ...response, headers: { ...after, 'retry-after-ms': '1' } }
}
