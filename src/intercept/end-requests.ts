import type { Attempt } from '../host/attempt.ts'
import { hasOpen, settleRequests, type OpenRequest } from './context/open-requests.ts'
import { nextOrder } from './context/request-context.ts'
import { collectReports } from './guard/reports.ts'

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
    console.warn(
      `[vitest-cassette] ${address} was begun and is not sent, though its test has ended and waited for it. End it, or give it up.`,
    )
  collectReports(attempt)
}
