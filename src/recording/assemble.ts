import type { Cassette, Exchange } from '../cassette/cassette.ts'
import { describeTurns, type KeptTurn, keptTurn, type Turn } from './describe.ts'
import type { Incoming } from '../engine/incoming.ts'
import { isReplaceable, type Recorded } from '../engine/recorded.ts'
import { usedParams } from '../conversation/params.ts'
import type { Recording } from '../engine/recording.ts'
import type { AskedRequest } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { asRecorded } from './smallest-diff/as-recorded.ts'
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
  if (config.mode === 'prompts') return loadMerge().turnsInPlace(session, spelled)
  const turns = turnsAsked(session)
  if (stale) {
    if (recorded.length === 0) return turns
    const gone = new Set(stale)
    return loadMerge().mergeTurns(
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

/** The requests that mode `prompts` stores as they are sent now. */
export function respelledIn(session: Session): Map<Exchange, Incoming> {
  return session.config.mode === 'prompts' ? loadMerge().respelledNow(session) : new Map()
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
  const sample = session.sample > 1 ? { sample: session.sample } : {}
  return { ...asRecorded(session, incoming, response), durationMs, mocked, ...sample, ...known }
}
