import type { Cassette, Exchange } from '../cassette/cassette.ts'
import { describeTurns, type Turn } from './describe.ts'
import type { Incoming } from './incoming.ts'
import type { Session } from './session.ts'

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
function mergeTurns(session: Session, turns: Turn[]): Turn[] {
  const left = [...turns]
  const merged = session.recorded.map(({ exchange, incoming }) => {
    const index = left.findIndex((turn) => turn.incoming.hash === incoming.hash)
    return index < 0 ? replayedTurn(exchange, incoming) : left.splice(index, 1)[0]!
  })
  return [...merged, ...left]
}

function toTurn(
  session: Session,
  { replayed, recording }: Session['asked'][number],
): Turn | undefined {
  if (replayed) {
    const known = session.recorded.find(({ exchange }) => exchange === replayed)!
    return replayedTurn(replayed, known.incoming)
  }
  const { incoming, response, durationMs } = recording
  return response && { incoming, response, durationMs }
}

function replayedTurn({ wire, response }: Exchange, incoming: Incoming): Turn {
  return {
    incoming,
    response: wire.response,
    durationMs: response.duration_ms,
  }
}
