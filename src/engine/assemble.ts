import { isRecorded, type Cassette } from '../cassette/cassette.ts'
import type { WireResponse } from '../wire/message.ts'
import { describeTurns, type KeptTurn, type Turn } from './describe.ts'
import { besides, readIncoming, type Incoming } from './incoming.ts'
import type { Recorded } from './match.ts'
import { usedParams } from './params.ts'
import type { Recording } from './recording.ts'
import type { Session } from './session.ts'
import { isMeantFor } from './written.ts'

/**
 * Makes a cassette of what a session asked, or `undefined` when nothing was recorded.
 *
 * @param now the time of the recording
 * @param stale given where not everything ran that could ask: the exchanges of the old cassette that were
 * not asked for are kept then, but for these
 */
export function assembleCassette(
  session: Session,
  now: Date,
  stale?: readonly Recorded[],
): Cassette | undefined {
  if (!session.asked.some(({ recording, kept }) => recording?.response ?? kept)) return undefined
  // What was replayed more than once was recorded once.
  const asked = session.asked.filter(
    ({ replayed }, index, all) =>
      !replayed || all.findIndex((other) => other.replayed === replayed) === index,
  )
  const turns = asked.flatMap((one) => toTurn(session, one) ?? [])
  const kept = session.recorded.filter((recorded) => !stale?.includes(recorded))
  const exchanges = describeTurns(
    session.config.mode === 'prompts'
      ? turnsInPlace(session)
      : stale
        ? mergeTurns(kept, turns)
        : turns,
  )
  const params = usedParams(exchanges, { ...session.cassette?.params, ...session.params.values })
  return {
    conversationId: session.test.id,
    timestamp: now.toISOString(),
    ...(params ? { params } : {}),
    exchanges,
  }
}

/** Every exchange as it was, with the prompt of this run where its answer was kept for that. */
function turnsInPlace(session: Session): KeptTurn[] {
  return session.recorded.map((known) => {
    const changed = session.asked.find(({ kept, replayed }) => kept && replayed === known.exchange)
    return changed?.replayed ? changedTurn(session, known, changed.incoming) : keptTurn(known)
  })
}

function changedTurn(session: Session, known: Recorded, asked: Incoming): KeptTurn {
  const turn = keptTurn(known)
  if (!('incoming' in turn)) return turn
  const { incoming } = asRecorded(session, asked, turn.response)
  return { ...turn, incoming, kept: true }
}

/** The old exchanges in their places, each replaced by what was asked with its prompt; then what is new. */
export function mergeTurns(recorded: readonly Recorded[], turns: KeptTurn[]): KeptTurn[] {
  const left = [...turns]
  const merged = recorded.map((known) => {
    const index = left.findIndex((turn) => replaces(turn, known))
    return index < 0 ? keptTurn(known) : left.splice(index, 1)[0]!
  })
  return [...merged, ...left]
}

function replaces(turn: KeptTurn, { exchange, incoming }: Recorded): boolean {
  if (!('incoming' in turn)) return turn === exchange
  return incoming
    ? besides(incoming, turn.incoming).hash === incoming.hash
    : isMeantFor(exchange, turn.incoming)
}

function toTurn(
  session: Session,
  { replayed, recording }: Session['asked'][number],
): KeptTurn | undefined {
  if (replayed) return keptTurn(session.recorded.find(({ exchange }) => exchange === replayed)!)
  return recordedTurn(session, recording)
}

/** What was recorded in this attempt, as it is kept; `undefined` while nothing of the answer is there. */
export function recordedTurn(
  session: Session,
  { incoming, response, durationMs }: Recording,
): Turn | undefined {
  return response && { ...asRecorded(session, incoming, response), durationMs }
}

/** What goes on from a replayed conversation is kept with the values that this was recorded with. */
function asRecorded(
  { bindings, config }: Session,
  incoming: Incoming,
  response: WireResponse,
): Pick<Turn, 'incoming' | 'response'> {
  if (bindings.none) return { incoming, response }
  const { after } = incoming
  const given = bindings.undo(incoming.wire) ?? incoming.wire
  const wire = bindings.unbind(incoming.wire)
  const [least, most] = [given, wire].map((form) => readIncoming(form, config.volatile, after))
  // Where more than that would be another prompt, only what answers were given is turned back.
  return {
    incoming: least!.hash === most!.hash ? most! : least!,
    response: bindings.unbind(response),
  }
}

/** What a person wrote stays as they wrote it. */
export function keptTurn({ exchange, incoming }: Recorded): KeptTurn {
  if (!isRecorded(exchange)) return exchange
  const { wire, response } = exchange
  return {
    incoming: incoming!,
    response: wire.response,
    durationMs: response.duration_ms,
    kept: response.kept,
  }
}
