import {
  isRecorded,
  type Cassette,
  type Exchange,
  type WrittenExchange,
} from '../cassette/cassette.ts'
import { isUnasked } from '../wire/imported.ts'
import type { WireResponse } from '../wire/message.ts'
import { describeTurns, type KeptTurn, orderedAfter, type Turn } from './describe.ts'
import { comparableTo, readIncoming, type Incoming } from '../engine/incoming.ts'
import { isReplaceable, isUnaskedExchange, type Recorded } from '../engine/recorded.ts'
import { usedParams } from '../conversation/params.ts'
import type { Recording } from '../engine/recording.ts'
import type { AskedRequest } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { laterCases } from '../features/later-cases.ts'
import { loadMerge } from './smallest-diff/load-merge.ts'
import { loadSentAfter } from './load-sent-after.ts'

/**
 * Makes a cassette of the exchanges of a session; `undefined` when it has nothing new, kept or dropped.
 *
 * @param now the time of the recording
 * @param stale set for a partial attempt, in which some requests may be missing: the unused exchanges of the old
 * cassette are kept, except for these
 */
export function assembleCassette(
  session: Session,
  now: Date,
  stale?: readonly Recorded[],
): Cassette | undefined {
  const spelled = respelledIn(session)
  // A fault of the test changes what its application gets, not what is kept.
  const isChanged =
    spelled.size > 0 ||
    [...session.asked, ...session.spoiled].some(
      ({ recording, kept }) => recording?.response ?? kept,
    )
  if (!isChanged && (stale || dropped(session).length === 0)) return undefined
  const exchanges = describeTurns(turnsToStore(session, stale, spelled))
  const params = usedParams(exchanges, { ...session.cassette?.params, ...session.params.values })
  return {
    conversationId: session.test.id,
    timestamp: now.toISOString(),
    ...(params ? { params } : {}),
    exchanges,
  }
}

/** The recorded exchanges that mode `new` drops, as a test that replays the others does not ask for them any more. */
export function dropped({ config, asked, unused }: Session): Recorded[] {
  const goesOn = config.mode === 'new' && asked.some(({ replayed }) => replayed)
  return goesOn ? unused.filter(isReplaceable) : []
}

/** Whether an answer was kept for another prompt. One that was imported without a prompt takes over the first. */
export function keepsAnswers({ asked, spoiled }: Session): boolean {
  return [...asked, ...spoiled].some(({ kept, takesPrompt }) => kept && !takesPrompt)
}

/** Those of this run, and of the old exchanges those that a partial attempt keeps or that a person wrote. */
function turnsToStore(
  session: Session,
  stale: readonly Recorded[] | undefined,
  spelled: ReadonlyMap<Exchange, Incoming>,
): KeptTurn[] {
  const { recorded, config } = session
  if (config.mode === 'prompts') return turnsInPlace(session, spelled)
  const turns = turnsAsked(session)
  if (stale) {
    const gone = new Set(stale)
    return mergeTurns(
      recorded.filter((one) => !gone.has(one)),
      turns,
      config.mode === 'all',
    )
  }
  // Everything is recorded afresh.
  if (config.mode === 'all') return turns
  const written = recorded.filter((one) => !one.played && !isReplaceable(one))
  return [...turns, ...written.map(keptTurn)]
}

/** The old exchanges, each with the prompt of this run where its answer was kept for a changed prompt. */
function turnsInPlace(session: Session, spelled: ReadonlyMap<Exchange, Incoming>): KeptTurn[] {
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

/**
 * The requests that mode `prompts` stores as they are sent now: they say what is recorded, and are spelled otherwise. Those
 * that hold other values than the recorded ones stay, and so do those that are never replayed by their hash.
 */
export function respelledIn({ config, asked }: Session): Map<Exchange, Incoming> {
  const spelled = new Map<Exchange, Incoming>()
  if (config.mode !== 'prompts') return spelled
  for (const one of asked) {
    if (!one.replayed?.wire || one.kept || one.speaker || one.forgiven?.length) continue
    const { incoming } = one.slow ?? {}
    if (!incoming) continue
    if (!spelled.has(one.replayed) && loadMerge().spelledAsNow(one.replayed.wire.request, incoming))
      spelled.set(one.replayed, incoming)
  }
  return spelled
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
 * The old exchanges in their places, each replaced by the new turn with its prompt; then the other new turns.
 *
 * @param replacesWritten whether a new turn also replaces what a person wrote for its prompt
 */
export function mergeTurns(
  recorded: readonly Recorded[],
  turns: readonly KeptTurn[],
  replacesWritten: boolean = false,
): KeptTurn[] {
  const left = new Set(turns)
  const byPrompt = Map.groupBy<unknown, KeptTurn>(turns.toReversed(), (turn) =>
    'incoming' in turn ? turn.incoming.hash : turn,
  )
  const nextOf = (key: unknown): KeptTurn | undefined => {
    const alike = byPrompt.get(key) ?? []
    let next = alike.pop()
    while (next && !left.has(next)) next = alike.pop()
    return next
  }
  const nextWith = (fits: (asked: Incoming) => boolean): KeptTurn | undefined =>
    [...left].find((turn) => 'incoming' in turn && fits(turn.incoming))
  const replacing = (known: Recorded): KeptTurn | undefined => {
    const { exchange, incoming } = known
    const sameTurn = nextOf(exchange)
    if (sameTurn) return sameTurn
    if (!incoming)
      return replacesWritten ? nextWith((asked) => laterCases.isMeantFor(known, asked)) : undefined
    if (!incoming.wire.imported) return nextOf(incoming.hash)
    if (isUnasked(incoming.wire)) return undefined
    return nextWith((asked) => comparableTo(incoming, asked).hash === incoming.hash)
  }
  const merged = recorded.map((known) => {
    const turn = replacing(known) ?? keptTurn(known)
    left.delete(turn)
    return turn
  })
  return [...merged, ...left]
}

/**
 * The turns of a session, in the order in which their responses ended. An exchange that was replayed more than once
 * appears once.
 */
function turnsAsked(session: Session): KeptTurn[] {
  const left = new Map(session.recorded.map((recorded) => [recorded.exchange, recorded]))
  const endOf = ({ recording, order }: AskedRequest): number => recording?.ended ?? order
  const asked = session.asked.toSorted((one, other) => endOf(one) - endOf(other))
  const turns = asked.flatMap(({ order, replayed, recording }): KeptTurn[] => {
    const known = replayed && left.get(replayed)
    if (known && left.delete(replayed)) return [keptTurn(known)]
    const fresh = recording && recordedTurn(session, recording, order)
    return fresh ? [fresh] : []
  })
  return turns.length < 2 ? turns : loadSentAfter().inTheirOrder(turns)
}

/**
 * A recording as it is stored; `undefined` while nothing of the answer has arrived.
 *
 * @param order the number of the request
 */
export function recordedTurn(
  session: Session,
  { incoming, response, durationMs, mocked, ended }: Recording,
  order: number,
): Turn | undefined {
  if (!response) return undefined
  const known = ended === undefined ? {} : { name: `#${order}`, span: { created: order, ended } }
  return { ...asRecorded(session, incoming, response), durationMs, mocked, ...known }
}

/** A request that continues a replayed conversation is stored with the recorded values of that conversation. */
function asRecorded(
  { bindings, config }: Session,
  incoming: Incoming,
  response: WireResponse,
): Pick<Turn, 'incoming' | 'response'> {
  if (bindings.none) return { incoming, response }
  const { before } = incoming
  const given = bindings.undo(incoming) ?? incoming.wire
  const wire = bindings.unbind(incoming.wire)
  const [least, most] = [given, wire].map((form) =>
    readIncoming(form, { volatile: config.volatile, before }),
  )
  // If replacing all values gives another prompt, only the values from answers are turned back.
  return {
    incoming: least!.hash === most!.hash ? most! : least!,
    response: bindings.unbind(response),
  }
}

/** The turn of a stored exchange. A hand-written exchange stays as it is. */
export function keptTurn({ exchange, incoming }: Recorded): KeptTurn {
  if (!isRecorded(exchange)) return exchange
  const { wire, response } = exchange
  return {
    incoming: incoming!,
    response: wire.response,
    durationMs: response.duration_ms,
    kept: response.kept,
    mocked: response.mocked,
    name: exchange.id,
    part: exchange.part,
    after: orderedAfter(wire.request),
  }
}
