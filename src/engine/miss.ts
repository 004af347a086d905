import type { Conflict } from './bind.ts'
import type { Incoming } from './incoming.ts'
import type { Recorded } from './recorded.ts'
import type { TestIdentity } from './session-options.ts'

/** The message of an error whose stack names the line that started a program, not the line that made a request. */
export const STARTED_HERE = 'started here'

/** A request that no exchange answers. */
export interface Miss {
  /**
   * - `unmatched`: no exchange has this prompt, or all that have it were played
   * - `fault`: the cassette cannot be read
   * - `closed`: the test had ended
   */
  reason: 'unmatched' | 'fault' | 'closed'
  incoming: Incoming
  /** Set where the prompt was recorded, but its volatile values contradict earlier ones of this run. */
  conflict?: Conflict
  /** Set where the prompt was recorded, but the test has to ask another one first. */
  turn?: Recorded
  /** Set in mode `prompts`: why the answer in its place is not kept for it. */
  notKept?: string
  /** Set where code that another test, or the file, has started made the request: the name of that. */
  starter?: string
  /** The tests that ran meanwhile, where the request may be for one of them. */
  running?: TestIdentity[]
  /** An error whose stack names the line that made the request, or that started the program which did. */
  callSite?: Error
}
