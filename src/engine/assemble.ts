import type { Cassette, Exchange } from '../cassette/cassette.ts'
import { describeTurns, type Turn } from './describe.ts'
import { readIncoming } from './incoming.ts'
import type { Session } from './session.ts'

/**
 * Makes a cassette of what a session asked, or `undefined` when nothing was recorded.
 *
 * @param now the time of the recording
 * @param keepUnused keeps exchanges that were not asked for, behind the others
 */
export function assembleCassette(
  session: Session,
  now: Date,
  keepUnused: boolean,
): Cassette | undefined {
  if (!session.asked.some(({ recording }) => recording?.response)) return undefined
  const turns = session.asked.map(toTurn).filter((turn) => turn !== undefined)
  if (keepUnused) turns.push(...session.unused.map(({ exchange }) => replayedTurn(exchange)))
  return {
    conversationId: session.test.id,
    timestamp: now.toISOString(),
    exchanges: describeTurns(turns),
  }
}

function toTurn({ replayed, recording }: Session['asked'][number]): Turn | undefined {
  if (replayed) return replayedTurn(replayed)
  const { incoming, response, durationMs } = recording
  return response && { incoming, response, durationMs }
}

function replayedTurn({ wire, response }: Exchange): Turn {
  return {
    incoming: readIncoming(wire.request),
    response: wire.response,
    durationMs: response.duration_ms,
  }
}
