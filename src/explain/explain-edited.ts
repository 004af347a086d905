import { isRecorded } from '../cassette/format/cassette.ts'
import { hashStoredRequests } from '../engine/turns/hash-stored-requests.ts'
import type { Recorded } from '../engine/recorded.ts'
import type { Session } from '../engine/session.ts'

/** Says that the recorded request, and not the prompt, was edited; empty where its hash is the stored one. */
export function explainEdited({ cassette, params }: Session, recorded?: Recorded): string {
  // Parameters of the test are put into the recorded requests, which then have other hashes.
  if (!cassette || !recorded || !params.none || cassette.params) return ''
  const { exchanges } = cassette
  const place = exchanges.findIndex(({ id }) => id === recorded.exchange.id)
  const exchange = exchanges[place]
  if (!exchange || !isRecorded(exchange)) return ''
  const hashes = hashStoredRequests(
    exchanges.map(({ id, wire }) => ({ id, request: wire?.request })),
  )
  if (hashes[place] === exchange.prompt.hash) return ''
  return `The request of ${exchange.id} was edited in the cassette after it was recorded, as its hash shows. If nobody meant that, restore the file from git.`
}
