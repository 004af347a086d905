import type { Cassette } from '../cassette/cassette.ts'
import { hashesAt, rawHashOf, type StoredCassette } from '../cassette/format.ts'
import { hashStoredRequests } from './describe.ts'

/**
 * Counts the hashes of the recorded requests anew. Returns the right hash of each exchange whose stored hash differs or
 * is missing, by its place in the file.
 */
export function wrongRequests(
  stored: StoredCassette,
  { exchanges }: Cassette,
): Map<number, { counted: string; isMissing: boolean }> {
  const hashes = hashStoredRequests(
    exchanges.map(({ id, wire }) => ({ id, request: wire?.request })),
  )
  const wrong = new Map<number, { counted: string; isMissing: boolean }>()
  for (const [index, { prompt, wire }] of exchanges.entries()) {
    const counted = hashes[index]
    if (counted === undefined || wire?.request.imported) continue
    const known = [prompt.hash, stored.exchanges[index]!.prompt.hash].filter(
      (hash) => hash !== undefined,
    )
    const [, raw] = hashesAt(stored, index)
    const isRight =
      known.every((hash) => hash.startsWith(counted)) && (!raw || raw === rawHashOf(wire!.request))
    if (known.length === 0 || !isRight) wrong.set(index, { counted, isMissing: known.length === 0 })
  }
  return wrong
}
