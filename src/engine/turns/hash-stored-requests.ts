import type { WireRequest } from '../../wire/message.ts'
import { RequestReader } from '../recorded.ts'

/**
 * The prompt hashes of stored requests, in order, as cassettes show them: without the rules for volatile values, which
 * are in the configuration. So the file alone is enough to compute them. Hand-written exchanges have no request.
 */
export function hashStoredRequests(
  requests: ReadonlyArray<{ id: string; request?: WireRequest }>,
): Array<string | undefined> {
  const reader = new RequestReader()
  return requests.map(({ id, request }) => request && reader.read(id, request).hash)
}
