import { isRecorded, type Cassette } from '../cassette/cassette.ts'
import { describeTurns, type KeptTurn } from './describe.ts'
import type { Recorded } from './match.ts'
import type { Session } from './session.ts'
import { isMeantFor } from './written.ts'

/**
 * Makes a cassette of what a session asked, or `undefined` when nothing was recorded.
 *
 * @param now the time of the recording
 * @param keepUnused keeps the exchanges of the old cassette that were not asked for
 */
export function assembleCassette(
  session: Session,
  now: Date,
  keepUnused: boolean,
): Cassette | undefined {
  if (!session.asked.some(({ recording }) => recording?.response)) return undefined
  const turns = session.asked.flatMap((asked) => toTurn(session, asked) ?? [])
  return {
    conversationId: session.test.id,
    timestamp: now.toISOString(),
    exchanges: describeTurns(keepUnused ? mergeTurns(session, turns) : turns),
  }
}

/** The old exchanges in their places, each replaced by what was asked with its prompt; then what is new. */
function mergeTurns(session: Session, turns: KeptTurn[]): KeptTurn[] {
  const left = [...turns]
  const merged = session.recorded.map((known) => {
    const index = left.findIndex((turn) => replaces(turn, known))
    return index < 0 ? keptTurn(known) : left.splice(index, 1)[0]!
  })
  return [...merged, ...left]
}

function replaces(turn: KeptTurn, { exchange, incoming }: Recorded): boolean {
  if (!('incoming' in turn)) return turn === exchange
  return incoming ? turn.incoming.hash === incoming.hash : isMeantFor(exchange, turn.incoming)
}

function toTurn(
  session: Session,
  { replayed, recording }: Session['asked'][number],
): KeptTurn | undefined {
  if (replayed) return keptTurn(session.recorded.find(({ exchange }) => exchange === replayed)!)
  const { incoming, response, durationMs } = recording
  return response && { incoming, response, durationMs }
}

/** What a person wrote stays as they wrote it. */
function keptTurn({ exchange, incoming }: Recorded): KeptTurn {
  if (!isRecorded(exchange)) return exchange
  const { wire, response } = exchange
  return { incoming: incoming!, response: wire.response, durationMs: response.duration_ms }
}
