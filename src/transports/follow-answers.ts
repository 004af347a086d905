import type { Attempt } from '../attempt/attempt.ts'
import { shared } from '../real/shared.ts'

/** A call that may be recorded, and the test that waits for its answer, as soon as that is known. */
export interface RecordedCall {
  waiter?: Attempt
  /** Whether other tests wait for it, too. */
  isShared?: boolean
  /** Called when one of these becomes known. */
  hear?: () => void
}

/** Follows answers through the promises of a process, while it records. */
export interface Follower {
  /** Notes a call that is being made here. */
  begin(): RecordedCall
  /** Notes the promise that gives the application the answer to a call. */
  answered(call: RecordedCall, answer: Promise<unknown>): void
  /** Whether the code of one attempt has settled a promise of the other. */
  hasSettled(one: Attempt, other: Attempt): boolean
}

/** Shared by all copies of this package; absent where nothing is recorded. */
export const following: { follower?: Follower } = shared('following')
