import type { Cassette } from '../../cassette/format/cassette.ts'
import type { PaidAnswer } from '../../cassette/disk/journal.ts'
import { keptTurn, mergeTurns } from './assemble.ts'
import { describeTurns, type KeptTurn, type Turn } from './describe.ts'
import { readIncoming, type Incoming } from '../incoming.ts'
import { readRecorded } from '../recorded.ts'
import { usedParams } from '../params.ts'
import { lastWordFailures } from '../recording.ts'

/** Answers that an attempt has paid for and not written. */
export interface Interrupted {
  id: string
  /** When the last answer arrived, ISO 8601. */
  time: string
  /** In the order asked. */
  answers: readonly PaidAnswer[]
}

/**
 * Adds answers to a cassette, as recording what is missing does: those to a known prompt take the place of
 * the known ones, nothing else is given up. Errors that a provider answered last are left out;
 * `undefined` when there is nothing else.
 */
export function recoverCassette(
  known: Cassette | undefined,
  { id, time, answers }: Interrupted,
): Cassette | undefined {
  const turns = readTurns(answers)
  const failures = new Set<Turn>(lastWordFailures(turns))
  const kept = turns.filter((turn) => !failures.has(turn))
  if (kept.length === 0) return undefined
  const recorded = readRecorded(known)
  const exchanges = describeTurns(mergeTurns(recorded, kept))
  const declared = Object.assign({}, known?.params, ...answers.map(({ params }) => params))
  const params = usedParams(exchanges, declared)
  return { conversationId: id, timestamp: time, ...(params ? { params } : {}), exchanges }
}

/** A cassette without the errors that a provider answered last; `undefined` when there is nothing else. */
export function leaveErrors(cassette: Cassette): Cassette | undefined {
  const turns = readRecorded(cassette).map(keptTurn)
  const failures = new Set<KeptTurn>(lastWordFailures(turns.filter((turn) => 'incoming' in turn)))
  if (failures.size === 0) return cassette
  const kept = turns.filter((turn) => !failures.has(turn))
  return kept.length > 0 ? { ...cassette, exchanges: describeTurns(kept) } : undefined
}

/** Hashes anew, without the rules for volatile values: as the file shows them. */
function readTurns(answers: readonly PaidAnswer[]): Turn[] {
  const read = new Map<string, Incoming>()
  return answers.flatMap(({ request, response, durationMs, hash, after }) => {
    const before = after === undefined ? undefined : read.get(after)
    // What follows something lost on a socket has no place.
    if (after !== undefined && before === undefined) return []
    const incoming = readIncoming(request, { before })
    read.set(hash, incoming)
    return [{ incoming, response, durationMs }]
  })
}
