import { baseUrlFor } from '../intercept/redirect/base-url.ts'
import { failureOfProgram } from './failure-of-program.ts'
import { openProgram, type ProgramOptions } from './open-program.ts'
import type { AskedExchange } from '../engine/turns/asked-exchange.ts'

export type { AskedExchange } from '../engine/turns/asked-exchange.ts'
export type { TestOptions } from '../config/options.ts'
export type { ProgramOptions as OpenCassetteOptions } from './open-program.ts'

/** A cassette that answers all LLM calls of this process, until it is closed. */
export interface OpenCassette {
  /** What was asked and got so far, in the order asked. */
  readonly exchanges: AskedExchange[]
  /**
   * Ends interception, puts every global back, and writes what was recorded.
   *
   * @throws CassetteError as a test fails: `miss`, `unused`, `recording-failed`, `refused`, `invalid-cassette`.
   */
  close(): Promise<void>
  /**
   * The address at which it answers for another one, for programs that are started while it is open, and take their
   * base URL from elsewhere than the environment.
   *
   * @throws CassetteError `invalid-option` for what is no address
   */
  baseUrl(upstream: string): string
  /** Closes it at the end of an `await using`, which keeps the error of the program beside that of the cassette. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a cassette in a process without Vitest: a script, another test runner, a benchmark. All LLM calls of
 * the process are its own. `RECORD` decides on recording, as it does everywhere.
 *
 * @throws CassetteError `invalid-option` for options that do not exist, and where a cassette is open
 * already, as in a test that has the set-up of the plugin; `invalid-environment`, `recording-refused`
 * @example
 * await using cassette = openCassette({ path: '__recordings__/summary.json' })
 * await summarize()
 */
export function openCassette(options: ProgramOptions): OpenCassette {
  const program = openProgram(options)
  const opened: OpenCassette = {
    get exchanges() {
      return program.exchanges
    },
    baseUrl: (upstream) => baseUrlFor(program.attempt, upstream),
    async close() {
      const failure = await program.close()
      if (failure) throw failureOfProgram(failure)
    },
    [Symbol.asyncDispose]: () => opened.close(),
  }
  return opened
}
