import { isRecorded } from '../cassette/format/cassette.ts'
import { quoteWord } from '../config/command-line.ts'
import type { Incoming } from '../engine/incoming.ts'
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
  // Another program writes none.
  const known: string | undefined = exchange.prompt.hash
  if (known === undefined || hashes[place] === known) return ''
  return `The request of ${exchange.id} was edited in the cassette after it was recorded, as its hash shows. If nobody meant that, restore the file from git.`
}

/** The command for a recording that knows no headers, where nothing else differs; empty for every other one. */
export function adviseOnOlder(
  cassette: string,
  recorded: Recorded | undefined,
  asked: Incoming,
): string {
  const known = recorded?.incoming
  if (!known || known.wire.headers || known.wire.older || !asked.wire.headers) return ''
  if (known.asOlder('headers').hash !== asked.asOlder('headers').hash) return ''
  return (
    `No header is recorded for ${recorded.exchange.id}. Only if an older release or another program wrote it, which kept ` +
    'none, let it answer whatever the headers are; a piece of a path names several cassettes:\n' +
    `  npx vitest-cassette older ${quoteWord(cassette)}`
  )
}
