import type { WireResponse } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'
import type { Leads } from './leads.ts'

/** Statuses that say more about the account or the hour than about the prompt. */
const FAILURES = new Set([401, 403, 429])

/** A request that was sent to its provider, and what has come back of the answer so far. */
export interface Recording {
  incoming: Incoming
  /** An error created where the application made the request. */
  callSite?: Error
  /** Takes note of where the answer leads, before the application can go there. */
  leads?: Leads
  response?: WireResponse
  durationMs?: number
  /** Why there is no answer: the provider could not be reached. */
  error?: Error
  /** To be called when an answer, or a piece of one over a socket, has arrived: it is paid for. */
  keep(): Promise<void>
}

/** True for an answer that no one wants to replay for ever: 401, 403, 429 and 5xx. */
function isFailure(response: WireResponse): boolean {
  return FAILURES.has(response.status) || response.status >= 500
}

/** The last answer to each prompt that is a failure; an earlier 429 that a retry overcame is none. */
export function lastWordFailures<T extends Pick<Recording, 'incoming' | 'response'>>(
  recordings: readonly T[],
): T[] {
  const last = new Map(recordings.map((recording) => [recording.incoming.hash, recording]))
  return [...last.values()].filter(({ response }) => response && isFailure(response))
}

/** What was said before on the same socket, in order; nothing where there is none. */
export function saidBefore<T extends { recording?: Recording | undefined }>(
  asked: T,
  all: readonly T[],
): T[] {
  const after = asked.recording?.incoming.after
  if (after === undefined) return []
  const last = all.findLast(({ recording }) => recording?.incoming.hash === after)
  return last ? [...saidBefore(last, all), last] : []
}
