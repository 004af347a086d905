import type { LateListener } from '../../../attempt/owner.ts'
import type { Journal } from '../../../cassette/journal.ts'
import type { LateRequest } from '../../../engine/late-requests.ts'
import type { Session } from '../../../engine/session.ts'
import type { ReportedFailure } from '../../../explain/failure.ts'
import { timeLimit } from '../../../real/clock.ts'
import { shared } from '../../../real/shared.ts'
import { settleRequests } from '../../../transports/open-requests.ts'
import type { LateReport } from './late-report.ts'

/** How long the end of a file or worker waits for answers that are being recorded; each is given up before. */
const PATIENCE_MS = 20_000

/** The late requests whose answers are being recorded, of all files of this process. */
export const arriving: Set<LateRequest> = shared('late-requests', () => new Set())

/** Waits for open requests, and for answers that are being recorded. */
export async function waitForLateRequests(): Promise<void> {
  await settleRequests(() => true)
  const limit = timeLimit(PATIENCE_MS)
  // An answer can be followed by the next request.
  while (arriving.size > 0 && !limit.isOver) {
    const known = [...arriving]
    const kept = Promise.allSettled(known.map(({ recording }) => recording?.kept))
    await Promise.race([kept, limit.over])
    for (const request of known) arriving.delete(request)
    await settleRequests(() => true)
  }
  limit.clear()
}

/** Hears of the requests that tests of a file did not await, by a report that is made for the first of them. */
export class LateOfFile implements LateListener {
  readonly #make: () => LateReport
  #report?: LateReport
  #isOver = false

  constructor(make: () => LateReport) {
    this.#make = make
  }

  hear(session: Session, request: LateRequest): void {
    this.#made.hear(session, request)
  }

  release(journal: Journal): void {
    this.#made.release(journal)
  }

  /** Ends the file. Resolves to its failures. */
  async end(): Promise<ReportedFailure[]> {
    this.#isOver = true
    return this.#report ? await this.#report.end() : []
  }

  get #made(): LateReport {
    if (this.#report) return this.#report
    this.#report = this.#make()
    if (this.#isOver) void this.#report.end()
    return this.#report
  }
}
