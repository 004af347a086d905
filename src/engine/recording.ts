import type { WireResponse } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'
import type { FollowedAddresses } from './followed-addresses.ts'

/** Statuses that say more about the account or the hour than about the prompt. */
const FAILURES = new Set([401, 403, 407, 429])

/** The statuses by which a provider refuses a key. */
export const KEY_REFUSALS: ReadonlySet<number> = new Set([401, 403])

/** A request that was sent to its provider, with the answer as far as it has arrived. */
export interface Recording {
  incoming: Incoming
  /** An error created where the application made the request. */
  callSite?: Error
  /** The command line of the program that asked, where the test had started it. */
  askedBy?: string
  /** Notes the addresses to which the answer leads, before the application can go there. */
  leads?: FollowedAddresses
  response?: WireResponse
  /** A mock of the application answered in the place of the provider. */
  mocked?: true
  durationMs?: number
  /** When its response ended, as a number of the counter of requests. */
  ended?: number
  /** The status of the answer, from the time when the application can see it. */
  status?: number
  /** The failed recording of the same prompt that this one tries again. */
  retries?: Recording
  /**
   * Of a request whose key the provider refused, the variables that hold the key: empty where none does, absent where the
   * request carried no key.
   */
  sentKeys?: readonly string[]
  /** Why there is no answer: the provider could not be reached. */
  error?: Error
  /** Settles when the answer is kept. */
  kept?: Promise<void>
  /** Called when the named test has ended: limits the wait for the answer. Without a name, a test goes on that waits. */
  testEnds?: (test?: string) => void
  /** Stores an answer that is paid for. Call it when an answer, or a piece of one over a socket, has arrived. */
  keep(): Promise<void>
}

/** True for an answer that costs money to get again. Providers charge nothing for an error. */
export function isPaid({ response, mocked }: Pick<Recording, 'response' | 'mocked'>): boolean {
  return response !== undefined && response.status < 400 && !mocked
}

/** True for a status that is not worth replaying: 401, 403, that of a proxy (407), 429 and 5xx. */
export function isFailure(status: number): boolean {
  return FAILURES.has(status) || status >= 500
}

/** Of the last answers to each prompt, those that are failures. A 429 that a retry overcame is not among them. */
export function lastWordFailures<T extends Pick<Recording, 'incoming' | 'response'>>(
  recordings: readonly T[],
): T[] {
  const last = new Map(recordings.map((recording) => [recording.incoming.hash, recording]))
  return [...last.values()].filter(({ response }) => response && isFailure(response.status))
}

/** The earlier requests on the same socket, in order; empty where there are none. */
export function saidBefore<T extends { recording?: Recording | undefined }>(
  asked: T,
  all: readonly T[],
): T[] {
  const after = asked.recording?.incoming.after
  if (after === undefined) return []
  const last = all.findLast(({ recording }) => recording?.incoming.hash === after)
  return last ? [...saidBefore(last, all), last] : []
}
