import type { WireRequest } from '../../wire/message.ts'
import { readIncoming, type Incoming } from '../incoming.ts'

/**
 * The prompt hashes of stored requests, in order, as cassettes show them: without the rules for
 * volatile values, which a configuration holds. Whoever has the file can compute them again; what a
 * person wrote has no request to hash.
 */
export function storedHashes(
  requests: ReadonlyArray<{ id: string; request?: WireRequest }>,
): Array<string | undefined> {
  const read = new Map<string, Incoming>()
  return requests.map(({ id, request }) => {
    if (!request) return undefined
    const before = request.after === undefined ? undefined : read.get(request.after)
    const incoming = readIncoming(request, { before })
    read.set(id, incoming)
    return incoming.hash
  })
}
