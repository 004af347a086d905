import type { Cassette } from '../cassette/cassette.ts'
import type { PaidAnswer } from '../cassette/journal.ts'
import { usedParams } from '../conversation/params.ts'
import { type Incoming, readIncoming } from '../engine/incoming.ts'
import { readRecorded } from '../engine/recorded.ts'
import { lastWordFailures } from '../engine/recording.ts'
import { isFailedAnswer, withoutOvercome } from '../features/overcome.ts'
import { isMcpAddress } from '../wire/mcp-address.ts'
import { keptTurn, mergeTurns } from './assemble.ts'
import { describeTurns, type KeptTurn, type Turn } from './describe.ts'

/** Answers that an attempt has paid for and not written. */
interface Interrupted {
  id: string
  /** When the last answer arrived, ISO 8601. */
  time: string
  /** In the order asked. */
  answers: readonly PaidAnswer[]
}

/**
 * Adds answers to a cassette, as recording the missing ones does: an answer to a known prompt replaces the known
 * answer, all other exchanges stay. An error that a retry overcame, or that is the last answer to its prompt, is left
 * out; `undefined` when there is no other answer.
 */
export function recoverCassette(
  known: Cassette | undefined,
  { id, time, answers }: Interrupted,
): Cassette | undefined {
  const turns = withoutOvercome(readTurns(answers), ({ incoming, response }) => ({
    prompt: incoming.hash,
    failed: isFailedAnswer(response, () => undefined) && !isMcpAddress(incoming.wire.url),
  }))
  const failures = new Set<Turn>(lastWordFailures(turns))
  const kept = turns.filter((turn) => !failures.has(turn))
  if (kept.length === 0) return undefined
  const recorded = readRecorded(known)
  const exchanges = describeTurns(mergeTurns(recorded, kept))
  const declared = Object.assign({}, known?.params, ...answers.map(({ params }) => params))
  const params = usedParams(exchanges, declared)
  return { conversationId: id, timestamp: time, ...(params ? { params } : {}), exchanges }
}

/** A cassette without the errors that are the last answer to their prompt; `undefined` when nothing else is left. */
export function leaveErrors(cassette: Cassette): Cassette | undefined {
  const turns = readRecorded(cassette).map(keptTurn)
  const failures = new Set<KeptTurn>(lastWordFailures(turns.filter((turn) => 'incoming' in turn)))
  if (failures.size === 0) return cassette
  const kept = turns.filter((turn) => !failures.has(turn))
  return kept.length > 0 ? { ...cassette, exchanges: describeTurns(kept) } : undefined
}

/** Reads the requests without the rules for volatile values, so that they have the hashes that the file shows. */
function readTurns(answers: readonly PaidAnswer[]): Turn[] {
  const read = new Map<string, Incoming>()
  return answers.flatMap(({ request, response, durationMs, hash, after }) => {
    const before = after === undefined ? undefined : read.get(after)
    // A request that follows a lost one on a socket has no place.
    if (after !== undefined && before === undefined) return []
    const incoming = readIncoming(request, { before })
    read.set(hash, incoming)
    return [{ incoming, response, durationMs }]
  })
}
