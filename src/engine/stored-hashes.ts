import type { WireRequest } from '../wire/message.ts'
import { readIncoming } from './incoming.ts'

/**
 * The prompt hashes of stored requests, in order, as cassettes show them: without the rules for
 * volatile values, which a configuration holds. Whoever has the file can compute them again; what a
 * person wrote has no request to hash.
 */
export function storedHashes(
  requests: ReadonlyArray<{ id: string; request?: WireRequest }>,
): Array<string | undefined> {
  const hashes = new Map<string, string>()
  return requests.map(({ id, request }) => {
    if (!request) return undefined
    const after = request.after === undefined ? undefined : hashes.get(request.after)
    const { hash } = readIncoming(request, [], after)
    hashes.set(id, hash)
    return hash
  })
}
