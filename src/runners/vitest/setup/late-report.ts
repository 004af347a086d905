import { loadExplain } from '../../../attempt/load-explain.ts'
import type { Journal } from '../../../cassette/journal.ts'
import type { SentLate } from '../../../explain/explain-late.ts'
import type { ReportedFailure } from '../../../explain/failure.ts'
import type { LateRequest } from '../../../engine/late-requests.ts'
import type { Session } from '../../../engine/session.ts'
import { failureError } from './fail-in-node.ts'
import { arriving } from './late-requests.ts'

/** The requests that tests of a file did not await. They fail the file, or the run once the file has ended. */
export class LateReport {
  readonly #location: string
  readonly #color: boolean
  readonly #refused: Array<() => Promise<ReportedFailure>> = []
  readonly #sent: SentLate[] = []
  readonly #journals: Journal[] = []
  #isOver = false

  /** @param location the place of the file, for failures whose stack has no frame of the application */
  constructor(location: string, color: boolean) {
    this.#location = location
    this.#color = color
  }

  /** Takes in a request that came too late. */
  hear(session: Session, request: LateRequest): void {
    const { miss, error, recording, meanwhile } = request
    if (recording) {
      const sent = { session, recording, meanwhile }
      arriving.add(request)
      if (this.#isOver)
        void this.#failRun(async () => loadExplain().explainSent([sent], this.#color))
      else this.#sent.push(sent)
      return
    }
    // A queue goes on after the request that failed its test. Later requests of the queue tell nothing new.
    if (session.misses.length > 0) return
    const explained = async (): Promise<ReportedFailure> =>
      loadExplain().explainLate(session, { miss, error }, this.#color)
    if (this.#isOver) void this.#failRun(explained)
    else this.#refused.push(explained)
  }

  /** Releases a journal to `recover` at the end of the file, when no attempt of its test uses it any more. */
  release(journal: Journal): void {
    if (this.#isOver) journal.release()
    else this.#journals.push(journal)
  }

  /** Ends the file. Resolves to its failures. */
  async end(): Promise<ReportedFailure[]> {
    this.#isOver = true
    for (const journal of this.#journals) journal.release()
    const [first, ...others] = this.#sent
    const sent = first ? [loadExplain().explainSent([first, ...others], this.#color)] : []
    return [...sent, ...(await Promise.all(this.#refused.map((explained) => explained())))]
  }

  async #failRun(explained: () => Promise<ReportedFailure>): Promise<void> {
    const failure = await explained()
    // Unhandled on purpose: Vitest fails the run for it.
    throw failureError(failure, this.#location)
  }
}
