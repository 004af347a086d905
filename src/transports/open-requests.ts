import { say } from '../attempt/say.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { timeLimit } from '../real/clock.ts'
import { shared } from '../real/shared.ts'
import { collectReports } from './reports.ts'
import { type Scope, scopes } from './scope.ts'

/** Milliseconds to wait for a request that was created and is not sent yet. */
const PATIENCE_MS = 2_000

/** A request from its creation to its answer. */
export interface OpenRequest {
  scope: Scope | undefined
  /** Its number in the order of creation. */
  order: number
  /** Method and URL. */
  address: string
  isSent: boolean
  /** Aborts it at its client, where the client can abort. */
  giveUp?: (reason: Error) => void
}

interface State {
  requests: Set<OpenRequest>
  /** Each is called once, at the next change. */
  waiting: Set<() => void>
}

const state = shared<State>('open-requests', () => ({
  requests: new Set(),
  waiting: new Set(),
}))

/** Counts a request as open from here on. */
export function openRequest(
  scope: Scope | undefined,
  order: number,
  address: string,
): OpenRequest | undefined {
  // A recording waits for its own requests itself.
  if (scope === 'upstream') return undefined
  const request: OpenRequest = { scope, order, address, isSent: false }
  state.requests.add(request)
  return request
}

/** Marks a request as complete: its answer is under way. */
export function markSent(request: OpenRequest | undefined): void {
  if (!request) return
  request.isSent = true
  wake()
}

/** Closes a request that gets no answer until its client leaves, so that the end of the test does not wait for it. */
export function waitForNothing(context: { open?: OpenRequest; isUnanswered?: boolean }): void {
  context.isUnanswered = true
  closeRequest(context.open)
}

/** Closes a request that was answered, or given up. */
export function closeRequest(request: OpenRequest | undefined): void {
  if (request && state.requests.delete(request)) wake()
}

/** Closes a request when its answer settles. */
export function closeWhenAnswered<Result>(
  request: OpenRequest | undefined,
  answer: Result | Promise<Result>,
): Result | Promise<Result> {
  if (answer instanceof Promise) return answer.finally(() => closeRequest(request))
  closeRequest(request)
  return answer
}

/** Whether one of the open requests matches. */
export function hasOpen(isMeant: (request: OpenRequest) => boolean): boolean {
  return state.requests.size > 0 && [...state.requests].some(isMeant)
}

/**
 * Waits until requests are answered. Their clients have a limited time to send them, by the real clock.
 * Returns those that were not sent.
 */
export async function settleRequests(
  isMeant: (request: OpenRequest) => boolean,
): Promise<OpenRequest[]> {
  const limit = timeLimit(PATIENCE_MS)
  try {
    for (;;) {
      const open = [...state.requests].filter(isMeant)
      if (open.length === 0 || (limit.isOver && !open.some(({ isSent }) => isSent))) return open
      const change = new Promise<void>((resolve) => state.waiting.add(resolve))
      await (limit.isOver ? change : Promise.race([change, limit.over]))
    }
  } finally {
    limit.clear()
  }
}

function wake(): void {
  for (const goOn of state.waiting) goOn()
  state.waiting.clear()
}

/** Ends the requests of an attempt: waits for those that it has created. Later ones come too late. */
export async function endRequests(attempt: Attempt): Promise<void> {
  const last = nextOrder()
  attempt.end(last)
  await awaitRequests(attempt, last)
}

/** Waits for the requests that an attempt has created so far, or before a later one; it may go on to create others. */
export async function awaitRequests(attempt: Attempt, last: number = Infinity): Promise<void> {
  const isInTime = (request: OpenRequest): boolean =>
    request.scope === attempt && request.order < last
  const unsent = hasOpen(isInTime) ? await settleRequests(isInTime) : []
  for (const { address } of unsent)
    say(
      `[vitest-cassette] ${address} was begun, not sent: its test has ended. End it, or give it up.`,
    )
  collectReports(attempt)
}

/** The next number in the order of creation. */
export function nextOrder(): number {
  return ++scopes.created
}
