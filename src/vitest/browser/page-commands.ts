import type { CassetteMeta } from '../../host/count-asked.ts'
import type { Failure, Outcome } from '../../explain/judge.ts'
import type { PlaceInFile } from '../setup/titles.ts'

/** A test of a page, or its file outside of the tests, as the page tells of it. */
export interface PageTest extends PlaceInFile {
  /** The absolute path of its file. */
  filepath: string
}

/** How it ended there. */
export interface PageOutcome extends Pick<Outcome, 'passed' | 'partial' | 'isTriedAgain'> {
  /** What the page could not ask for any test. */
  refused?: string
}

/** What the page learns of it. */
export interface PageVerdict {
  failures: Array<Omit<Failure, 'callSite'>>
  meta?: CassetteMeta
  /** What was sent when tests had ended. */
  sent?: string[]
}

/** What a page calls in the process of Vitest. */
export interface PageCommands {
  /** Opens a cassette; gives what the addresses of its gateway begin with. */
  cassetteOpen(test: PageTest): Promise<string>
  cassetteClose(base: string, outcome: PageOutcome): Promise<PageVerdict>
}
