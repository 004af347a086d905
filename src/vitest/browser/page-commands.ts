import type { CassetteMeta } from '../../host/count-requests.ts'
import type { Failure } from '../../explain/judge-attempt.ts'
import type { RunnerOutcome } from '../setup/outcome.ts'
import type { PlaceInFile } from '../setup/titles.ts'

/** A test that runs in a page, or its file (without titles), as the page reports it. */
export interface PageTest extends PlaceInFile {
  /** The absolute path of its file. */
  filepath: string
}

/** How the test or file ended in the page. */
export interface PageOutcome extends RunnerOutcome {
  /** Why the page could not assign a request to a test. */
  refused?: string
}

/** The verdict that the page gets. */
export interface PageVerdict {
  failures: Array<Omit<Failure, 'callSite'>>
  meta?: CassetteMeta
}

/** The commands that a page calls in the process of Vitest. */
export interface PageCommands {
  /** Opens a cassette. Resolves to its base address at the gateway. */
  cassetteOpen(test: PageTest): Promise<string>
  cassetteClose(base: string, outcome: PageOutcome): Promise<PageVerdict>
}
