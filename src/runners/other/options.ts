import type { RunnerOptions } from './file-cassettes.ts'

let current: RunnerOptions = {}

/**
 * Sets the options of the cassettes of test files that begin after this, as `cassettes({ … })` does in the config of Vitest.
 * Call it in a file that loads before the tests.
 */
export function setCassetteOptions(options: RunnerOptions): void {
  current = options
}

/** The options that {@link setCassetteOptions} has set last. */
export function cassetteOptions(): RunnerOptions {
  return current
}
