import type { Exchange, WrittenExchange } from '../../cassette/cassette.ts'
import type { Incoming } from '../../engine/incoming.ts'
import { isUnaskedExchange, type Recorded } from '../../engine/recorded.ts'
import type { Session } from '../../engine/session.ts'
import { isUnasked } from '../../wire/imported.ts'
import { describeTurns, type KeptTurn, keptTurn, type Turn } from '../describe.ts'
import { asRecorded } from './as-recorded.ts'
import { spelledAsNow } from './spelled-as-now.ts'

/** The old exchanges, each with the prompt of this run where its answer was kept for a changed prompt. */
export function turnsInPlace(
  session: Session,
  spelled: ReadonlyMap<Exchange, Incoming>,
): KeptTurn[] {
  const changed = new Map<Exchange, Incoming>()
  for (const asked of [...session.asked, ...session.spoiled])
    if (asked.kept && !changed.has(asked.replayed)) changed.set(asked.replayed, asked.incoming)
  return session.recorded.map((known) => {
    const asked = changed.get(known.exchange)
    if (asked) return changedTurn(session, known, asked)
    const incoming = spelled.get(known.exchange)
    return incoming ? { ...(keptTurn(known) as Turn), incoming } : keptTurn(known)
  })
}

function changedTurn(session: Session, known: Recorded, asked: Incoming): KeptTurn {
  const turn = keptTurn(known)
  if (!('incoming' in turn)) return isUnaskedExchange(known) ? askedTurn(turn, asked) : turn
  const { incoming } = asRecorded(session, asked, turn.response)
  // What answers an unknown prompt was given to no other one.
  return isUnasked(turn.incoming.wire) ? { ...turn, incoming } : { ...turn, incoming, kept: true }
}

/** An answer that another tool wrote, with the first prompt that it answers. */
function askedTurn(turn: WrittenExchange, incoming: Incoming): WrittenExchange {
  const response = { status: 200, headers: {}, body: { kind: 'empty' as const } }
  const [{ prompt }] = describeTurns([{ incoming, response }]) as [Exchange]
  return { ...turn, prompt, wire: { request: incoming.wire } }
}

/**
 * The requests that mode `prompts` stores as they are sent now: they say what is recorded, and are spelled otherwise. Those
 * that hold other values than the recorded ones stay, and so do those that are never replayed by their hash.
 */
export function respelledNow({ asked }: Session): Map<Exchange, Incoming> {
  const spelled = new Map<Exchange, Incoming>()
  for (const one of asked) {
    if (!one.replayed?.wire || one.kept || one.speaker || one.forgiven?.length) continue
    const { incoming } = one.slow ?? {}
    if (!incoming) continue
    if (!spelled.has(one.replayed) && spelledAsNow(one.replayed.wire.request, incoming))
      spelled.set(one.replayed, incoming)
  }
  return spelled
}
