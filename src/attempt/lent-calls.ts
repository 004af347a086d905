import { adoptLate, adoptMiss, takeOut } from '../engine/adopt.ts'
import type { Attempt, LentCall } from './attempt.ts'

/**
 * Gives calls back to the attempts whose code made them, when it turns out that they were not meant for this one: nobody
 * here waited for the answer, or nothing is missing here.
 *
 * @param passed whether the test passed, apart from its requests
 * @param isOwn whether this test waited for a call that was recorded
 */
export function giveBackCalls(
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
