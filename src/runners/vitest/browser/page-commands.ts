import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import type { ReportedFailure } from '../../../explain/failure.ts'
import type { RunnerOutcome } from '../setup/outcome.ts'
import type { PlaceInFile } from '../setup/titles.ts'

/** Why a request is refused while several tests run in a page. */
export const SEVERAL =
  'Several tests run in this page at the same time, and nothing tells which of them asks.\nLet them run one after the other, ' +
  "or give each client the address of its test: test('…', ({ cassette }) => … cassette.baseUrl('https://api.openai.com/v1'))."

/** Why a request is refused while no test runs in a page. */
export const OUTSIDE =
  'Asked while a file was imported, where no test runs in this page yet.\nAsk in tests, or in beforeAll.'

/** Why a request is refused that no test, or more than one, may have made. */
export interface Why {
  outside: string
  several: string
}

/** A kind of worker that a page can start. */
export type WorkerName = 'Worker' | 'SharedWorker'

/** A test that runs in a page, or its file (without titles), as the page reports it. */
export interface PageTest extends PlaceInFile {
  /** The absolute path of its file. */
  filepath: string
  /** The number of the repeat of the test, from 2 on. */
  sample?: number | undefined
}

/** How the test or file ended in the page. */
export interface PageOutcome extends RunnerOutcome {
  /** Why the page could not assign a request to a test. */
  refused?: string
}

export interface PageVerdict {
  failures: ReportedFailure[]
  meta?: CassetteMeta
  /** What a failed test asked and was answered. */
  conversation?: string
}

/** The commands that a page calls in the process of Vitest. */
export interface PageCommands {
  /**
   * Answers what the page itself cannot redirect, such as the calls of its workers, from now on. Resolves to the kinds
   * of workers whose requests it does not see.
   */
  cassetteWatch(): Promise<WorkerName[]>
  /** Opens a cassette. Resolves to its base address at the gateway. */
  cassetteOpen(test: PageTest): Promise<string>
  cassetteClose(base: string, outcome: PageOutcome): Promise<PageVerdict>
}
