import { rememberFor } from '../remember.ts'
import { isMcpAddress } from '../wire/address.ts'
import type { WireResponse } from '../wire/message.ts'
import type { AskedRequest } from '../engine/session-contract.ts'
import type { Course } from '../engine/rare-cases.ts'
import type { Incoming } from '../engine/incoming.ts'
import { completionFor } from '../engine/read-prompt.ts'
import { isFailure, type Recording } from '../engine/recording.ts'

/** Statuses below 500 that clients try again, and that say nothing about the prompt. */
const TRIED_AGAIN = new Set([408, 409, 425])

/**
 * Finds the failed recording that a request tries again: of the same prompt, and seen by the application before the
 * request was made. An equal request that was under way at the same time is no retry.
 */
export function findFailed(
  arrived: readonly AskedRequest[],
  incoming: Incoming,
): Recording | undefined {
  // An agent reads the error of a tool, and its next prompt repeats it.
  if (arrived.length === 0 || isMcpAddress(incoming.wire.url)) return undefined
  const equal = equalOf(arrived, incoming.hash)
  return equal.find(
    (recording) => !equal.some(({ retries }) => retries === recording) && hasFailed(recording),
  )
}

/** Of the requests that were looked at so far, the last one, their number, and their recordings by prompt. */
interface KnownRecordings {
  last?: AskedRequest
  seen: number
  recordings: Map<string, Recording[]>
}

const byHash = rememberFor<readonly AskedRequest[], KnownRecordings>(() => ({
  seen: 0,
  recordings: new Map(),
}))

/** The recordings of one prompt. Each request is looked at once, unless one was taken out of the list. */
function equalOf(arrived: readonly AskedRequest[], hash: string): readonly Recording[] {
  const known = byHash(arrived)
  if (arrived[known.seen - 1] !== known.last) {
    known.seen = 0
    known.recordings.clear()
  }
  for (; known.seen < arrived.length; known.seen++) {
    const { recording } = arrived[known.seen]!
    if (!recording) continue
    const equal = known.recordings.get(recording.incoming.hash)
    if (equal) equal.push(recording)
    else known.recordings.set(recording.incoming.hash, [recording])
  }
  known.last = arrived.at(-1)
  return known.recordings.get(hash) ?? []
}

/** The requests without the errors that a retry overcame, but for those that the option `recordErrors` keeps. */
export function leaveOvercome({
  arrived,
  config,
}: Pick<Course, 'arrived' | 'config'>): AskedRequest[] {
  const overcome = new Set<Recording>()
  for (const { recording } of arrived) {
    if (!recording?.response || hasFailed(recording)) continue
    for (let { retries } = recording; retries; { retries } = retries) overcome.add(retries)
  }
  return arrived.filter(({ recording }) => {
    if (!recording || !overcome.has(recording)) return true
    return config.recordErrors && recording.response !== undefined
  })
}

/** Of answers in their order, those that no later answer to the same prompt overcame. */
export function withoutOvercome<T>(
  answers: readonly T[],
  read: (answer: T) => { prompt: unknown; failed: boolean },
): T[] {
  const answered = new Set<unknown>()
  const left = answers.toReversed().filter((answer) => {
    const { prompt, failed } = read(answer)
    if (!failed) answered.add(prompt)
    return !failed || !answered.has(prompt)
  })
  return left.toReversed()
}

/** Whether an answer is an error that can pass, or broke off. Whoever leaves an answer means to. */
export function isFailedAnswer(response: WireResponse, error: () => string | undefined): boolean {
  const { status, cut, aborted } = response
  if (isTransient(status)) return true
  return aborted === undefined && status < 400 && (cut === true || error() !== undefined)
}

function hasFailed({ incoming, error, status, response }: Recording): boolean {
  if (error || isTransient(status)) return true
  if (response === undefined) return false
  return isFailedAnswer(response, () => completionFor(response, incoming).error)
}

function isTransient(status: number | undefined): boolean {
  return status !== undefined && (isFailure(status) || TRIED_AGAIN.has(status))
}
