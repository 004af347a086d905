import type { WireRequest } from '../../wire/message.ts'
import { RequestReader } from '../request-reader.ts'

/**
 * The prompt hashes of stored requests, in order, as cassettes show them: without the rules for
 * volatile values, which a configuration holds. Whoever has the file can compute them again; what a
 * person wrote has no request to hash.
 */
export function storedHashes(
  requests: ReadonlyArray<{ id: string; request?: WireRequest }>,
): Array<string | undefined> {
  const reader = new RequestReader()
  return requests.map(({ id, request }) => request && reader.read(id, request).hash)
}
