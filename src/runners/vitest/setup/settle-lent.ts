import { say } from '../../../attempt/say.ts'
import type { Attempt, LentCall } from '../../../attempt/attempt.ts'
import { following } from '../../../transports/follow-answers.ts'
import { isOfEarlierFile, runsBeside } from '../../../transports/scope.ts'
import { waitFor } from '../../../real/clock.ts'
import { adoptLate, adoptMiss, takeOut } from '../../../engine/adopt.ts'

/** Turns of the event loop in which an answer that is recorded reaches the test that waits for it, however slowly. */
const TURNS_ON_ITS_WAY = 10

/** Milliseconds of such a turn. */
const TURN_MS = 2

/** Milliseconds between two looks at what other tests have asked. */
const BETWEEN_LOOKS_MS = 5

/** The tests that wait for others. */
const waiting = new WeakSet<Attempt>()

/**
 * Lets the tests that run beside one that has passed ask for what waits in its cassette: while it was recorded, a queue
 * that they share can have worked in its place.
 */
export async function waitForOthers(attempt: Attempt): Promise<void> {
  waiting.add(attempt)
  while (
    runsBeside(attempt, (other) => !waiting.has(other)) &&
    attempt.config.mode === 'replay' &&
    attempt.session.unused.length > 0
  )
    await waitFor(BETWEEN_LOOKS_MS)
}

/** Settles which calls of queues are those of a test, or of a file that has ended. */
export async function settleLent(attempt: Attempt, passed: boolean): Promise<void> {
  const { follower } = following
  if (follower && attempt.wasAsked) {
    await attempt.session.waitForAnswers()
    // What the code of this test asked can be for another one.
    if (attempt.lent.length > 0 || runsBeside(attempt, () => true))
      for (let turn = 0; turn < TURNS_ON_ITS_WAY; turn++) await waitFor(TURN_MS)
  }
  if (attempt.lent.length === 0) return
  const isFile = isOfEarlierFile(attempt)
  giveBackCalls(attempt, passed, ({ from, call }) => {
    // A call that its own tests share stays with their file.
    if (isFile && !isOfEarlierFile(from)) return true
    if (call?.waiter || isFile) return call?.waiter === attempt
    return !!(follower?.hasSettled(attempt, from) || follower?.hasSettled(from, attempt))
  })
}

/** Names the calls in the cassette of a file of which nobody knows the test. */
export function nameSharedCalls({ session, lent }: Attempt): void {
  const calls = session.arrived.filter((one) =>
    lent.some(({ from, recording }) => recording === one.recording && !isOfEarlierFile(from)),
  )
  if (calls.length === 0) return
  const [is, it] = calls.length === 1 ? ['call is', 'it'] : ['calls are', 'them']
  say(
    `[vitest-cassette] ${calls.length} ${is} in ${session.test.cassette}, the cassette of the file: several tests were ` +
      `running, and nobody knows which of them waited for ${it}. See "Whose call is it?" in docs/in-tests.md.`,
  )
}

/**
 * Gives calls back to the attempts whose code made them, when it turns out that they were not meant for this one: nobody
 * here waited for the answer, or nothing is missing here.
 *
 * @param passed whether the test passed, apart from its requests
 * @param isOwn whether this test waited for a call that was recorded
 */
function giveBackCalls(
  attempt: Attempt,
  passed: boolean,
  isOwn: (call: LentCall) => boolean,
): void {
  const { session, lent } = attempt
  const own = session.misses.length - lent.filter(({ miss }) => miss).length
  // An exchange that nobody asked for, though no miss of its own explains it, or a failure that none explains.
  const isMissing = session.unused.length > own || (!passed && own === 0)
  for (const call of lent) {
    const { from, recording, miss } = call
    const asked = recording && !isOwn(call) ? takeOut(session, recording) : undefined
    if (asked) adoptLate(from.session, asked, session.test)
    if (!miss || isMissing) continue
    session.misses.splice(session.misses.indexOf(miss), 1)
    adoptMiss(from.session, miss, session.test)
  }
}
