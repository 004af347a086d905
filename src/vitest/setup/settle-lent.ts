import type { Attempt } from '../../host/attempt.ts'
import { following } from '../../intercept/context/recorded-call.ts'
import { runsBeside } from '../../intercept/context/scope.ts'
import { waitFor } from '../../intercept/patch/next-turn.ts'

/** Milliseconds in which an answer that is recorded reaches the test that waits for it. */
const ON_ITS_WAY_MS = 20

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
    attempt.session.config.mode === 'replay' &&
    attempt.session.unused.length > 0
  )
    await waitFor(BETWEEN_LOOKS_MS)
}

/** Settles at the end of a test which calls of queues are its own. */
export async function settleLent(attempt: Attempt, passed: boolean): Promise<void> {
  const { follower } = following
  if (follower && attempt.wasAsked) {
    await attempt.session.waitForAnswers()
    // What the code of this test asked can be for another one.
    await waitFor(ON_ITS_WAY_MS)
  }
  if (attempt.lent.length === 0) return
  const { giveBackCalls } = await import('../../host/lent-calls.ts')
  giveBackCalls(attempt, passed, ({ from, call }) =>
    call?.waiter ? call.waiter === attempt : (follower?.areLinked(attempt, from) ?? false),
  )
}
