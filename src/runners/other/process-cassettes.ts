import {
  beginCassettes,
  endCassettes,
  errorOfFailures,
  FileCassettes,
  type RunnerOptions,
} from './file-cassettes.ts'
import type { RunnerCommand } from './runner-owner.ts'

/** The cassettes of all test files of a process. */
export class ProcessCassettes {
  readonly #command: RunnerCommand
  readonly #files = new Map<string, FileCassettes>()

  /**
   * Begins interception, so that nothing reaches a provider before any file is known.
   *
   * @throws CassetteError `invalid-option`, `invalid-environment`, `recording-refused`
   */
  constructor(command: RunnerCommand) {
    this.#command = command
    beginCassettes(cassetteOptions())
  }

  of(file: string): FileCassettes {
    const known = this.#files.get(file)
    if (known) return known
    const options = cassetteOptions()
    const made = new FileCassettes({ file, root: process.cwd(), command: this.#command, options })
    this.#files.set(file, made)
    return made
  }

  /** Ends all files, and interception. @throws CassetteError for what no test reports */
  async end(): Promise<void> {
    const failures = []
    for (const file of this.#files.values()) failures.push(...(await file.end()))
    this.#files.clear()
    endCassettes()
    const error = errorOfFailures(failures)
    if (error) throw error
  }
}

let current: RunnerOptions = {}

/**
 * Sets the options of the cassettes of test files that begin after this, as `cassettes({ … })` does in the config of Vitest.
 * Call it in a file that loads before the tests.
 */
export function setCassetteOptions(options: RunnerOptions): void {
  current = options
}

/** The options that {@link setCassetteOptions} has set last. */
function cassetteOptions(): RunnerOptions {
  return current
}
