import { sendsNothing } from '../../config/mode.ts'
import type { AskedExchange } from '../../recording/asked.ts'
import type { ReportedFailure } from '../../explain/failure.ts'
import { layers } from '../../transports/layers.ts'
import { lendKeys } from '../lend-keys.ts'
import { lending } from '../lending.ts'
import { loadFailures, openProgram, type ProgramOptions } from '../open-program.ts'

export type { AskedExchange } from '../../recording/asked.ts'
export type { TestOptions } from '../../config/options.ts'
export type { ProgramOptions as OpenCassetteOptions } from '../open-program.ts'

/** A cassette that answers all LLM calls of this process until it is closed. */
export interface OpenCassette {
  /** The requests and answers so far, in order. */
  readonly exchanges: AskedExchange[]
  /**
   * Ends interception, restores every global, and writes the recording.
   *
   * @throws CassetteError as a test fails: `miss`, `unused`, `recording-failed`, `refused`, `invalid-cassette`,
   *   `invalid-recording`, `secret`, `speaker`
   */
  close(): Promise<void>
  /**
   * The address at which it answers for another one, for programs that start while it is open, and do not read their
   * base URL from the environment.
   *
   * @throws CassetteError `invalid-option` for a text that is no address
   */
  baseUrl(upstream: string): string
  /**
   * Closes it at the end of an `await using`. An error of the program is kept in a `SuppressedError`. Prints a miss, since
   * Node shows nothing of what such an error holds.
   */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a cassette in a process without Vitest: a script, another test runner, a benchmark. It answers all LLM calls
 * of the process. `RECORD` decides on recording, as in Vitest.
 *
 * @throws CassetteError `invalid-option` for unknown options, and where a cassette is open already, as in a test that
 * has the set-up of the plugin; `invalid-environment`, `recording-refused`; `refused` in Bun and Deno
 * @example
 * await using cassette = openCassette({ path: '__recordings__/summary.json' })
 * await summarize()
 */
export function openCassette(options: ProgramOptions): OpenCassette {
  const program = openProgram(options)
  const { attempt } = program
  const { keys, mode } = attempt.config
  if (keys && sendsNothing(mode))
    lendKeys({
      beginsOpen: true,
      isOpen: () => true,
      isRecorded: () => attempt.owner.hasCassette(attempt.config),
    })
  const close = (): Promise<ReportedFailure | undefined> =>
    program.close().finally(() => lending.end?.())
  return {
    get exchanges() {
      return program.exchanges
    },
    baseUrl: (upstream) => layers.connections().baseUrlFor(attempt, upstream),
    async close() {
      const failure = await close()
      if (failure) throw loadFailures().errorOfProgram(failure)
    },
    async [Symbol.asyncDispose]() {
      const failure = await close()
      if (!failure) return
      const { errorOfProgram, printBoth } = loadFailures()
      const error = errorOfProgram(failure)
      process.once('uncaughtExceptionMonitor', (uncaught) => printBoth(uncaught, error))
      // SDKs make an error of the refusal, which a program may catch and print.
      if (failure.code === 'miss') console.error(`${error.name}: ${error.message}`)
      throw error
    },
  }
}
