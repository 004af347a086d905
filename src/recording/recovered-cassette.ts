import { bySample, type Cassette } from '../cassette/cassette.ts'
import type { PaidAnswer } from '../cassette/journal.ts'
import { usedParams } from '../conversation/params.ts'
import { type Incoming, readIncoming } from '../engine/incoming.ts'
import { readRecorded } from '../engine/recorded.ts'
import { isFailure } from '../engine/recording.ts'
import { isFailedAnswer, withoutOvercome } from '../features/overcome.ts'
import { isMcpAddress } from '../wire/address.ts'
import { describeTurns, type KeptTurn, keptTurn, type Turn } from './describe.ts'
import { loadSentAfter } from './load-sent-after.ts'
import { mergeTurns } from './smallest-diff/merge-turns.ts'
import { findOdd, isOdd } from './odd-answers.ts'

/** Answers that an attempt has paid for and not written. */
interface Interrupted {
  id: string
  /** When the last answer arrived, ISO 8601. */
  time: string
  /** In the order in which they ended. */
  answers: readonly PaidAnswer[]
}

/**
 * Adds answers to a cassette, as recording the missing ones does: an answer to a known prompt replaces the known
 * answer, all other exchanges stay. An error that a retry overcame, or that recording refuses, is left out; `undefined`
 * when there is no other answer.
 */
export function recoverCassette(
  known: Cassette | undefined,
  { id, time, answers }: Interrupted,
): Cassette | undefined {
  const turns = withoutOvercome(readTurns(answers), ({ incoming, response }) => ({
    prompt: incoming.hash,
    failed: isFailedAnswer(response, () => undefined) && !isMcpAddress(incoming.wire.url),
  }))
  const kept = withoutRefused(turns, known)
  if (kept.length === 0) return undefined
  const recorded = readRecorded(known)
  const exchanges = describeTurns(bySample(mergeTurns(recorded, kept)))
  const declared = Object.assign({}, known?.params, ...answers.map(({ params }) => params))
  const params = usedParams(exchanges, declared)
  return { conversationId: id, timestamp: time, ...(params ? { params } : {}), exchanges }
}

/** A recording of a failed attempt, as far as it can be used. */
interface Recovered {
  cassette: Cassette
  /** Set where the old cassette holds more answers, so that these are added to it. */
  isAdded: boolean
}

/**
 * Puts the recording of a failed attempt in the place of a cassette, without the errors that recording refuses. A test
 * that failed may not have asked all: fewer answers are added to the cassette, as those of a journal are.
 *
 * @param replaces whether fewer answers take the place of the cassette too
 * @returns `undefined` when there is no answer but errors
 */
export function recoverParked(
  known: Cassette | undefined,
  parked: Cassette,
  replaces: boolean,
): Recovered | undefined {
  const turns = readRecorded(parked).map(keptTurn)
  const kept = withoutRefused(turns, known)
  if (kept.length === 0) return undefined
  const samples = new Set(parked.exchanges.map(({ sample }) => sample))
  const [own = [], others = []] = [true, false].map((isParked) =>
    readRecorded(known).filter(({ exchange }) => samples.has(exchange.sample) === isParked),
  )
  const count = countGood({ exchanges: own.map(({ exchange }) => exchange) })
  const isAdded = !replaces && count > countGood({ exchanges: describeTurns(kept) })
  if (kept.length === turns.length && !isAdded && others.length === 0)
    return { cassette: parked, isAdded }
  // What a person wrote is in the cassette.
  const answered = kept.filter((turn) => 'incoming' in turn)
  const merged = isAdded ? mergeTurns(own, answered) : kept
  const exchanges = describeTurns(bySample([...others.map(keptTurn), ...merged]))
  const params = usedParams(exchanges, { ...known?.params, ...parked.params })
  const { params: _, ...head } = parked
  return { cassette: { ...head, ...(params ? { params } : {}), exchanges }, isAdded }
}

function countGood(cassette: Pick<Cassette, 'exchanges'> | undefined): number {
  return (cassette?.exchanges ?? []).filter((exchange) => !isOdd(exchange)).length
}

/** The turns without the errors of the provider that recording refuses. */
function withoutRefused<One extends KeptTurn>(
  turns: readonly One[],
  known: Cassette | undefined,
): One[] {
  const left = turns.filter((turn) => !('incoming' in turn && isFailure(turn.response.status)))
  const exchanges = describeTurns(left)
  const { replacing } = findOdd({ exchanges }, known)
  const refused = new Set(replacing.map(({ exchange }) => exchange))
  return left.filter((_, index) => !refused.has(exchanges[index]!))
}

/** Reads the requests without the rules for volatile values, so that they have the hashes that the file shows. */
function readTurns(answers: readonly PaidAnswer[]): Turn[] {
  const read = new Map<string, Incoming>()
  const turns = answers.flatMap((answer) => {
    const { order, ended, sample, request, response, durationMs, hash, after } = answer
    const before = after === undefined ? undefined : read.get(after)
    // A request that follows a lost one on a socket has no place.
    if (after !== undefined && before === undefined) return []
    const incoming = readIncoming(request, { before })
    read.set(hash, incoming)
    const known = ended === undefined ? {} : { name: `#${order}`, span: { created: order, ended } }
    return [{ incoming, response, durationMs, sample, ...known }]
  })
  return loadSentAfter().inTheirOrder(turns)
}
