import type { RunnerTestCase } from 'vitest'
import { isSkipped, outcomeOfTest } from './outcome.ts'

/** The failures of the tests of a file. What a test becomes later, a skip or an expected failure, does not undo one. */
export class StandingFailures<Failure> {
  readonly #failures = new Map<RunnerTestCase, Failure>()

  /** The failure that an attempt has to report: its own, or that of an attempt before, if this one was skipped. */
  take(test: RunnerTestCase, own: Failure | undefined): Failure | undefined {
    if (own) this.#failures.set(test, own)
    // An attempt that failed otherwise undoes nothing: the next one can skip.
    else if (outcomeOfTest(test).passed && !isSkipped(test.result) && !test.repeats)
      this.#failures.delete(test)
    return own ?? (isSkipped(test.result) ? this.#failures.get(test) : undefined)
  }

  /** The failures of tests that did not fail in the end. Their file fails in their place. */
  outvoted(): Failure[] {
    return [...this.#failures].flatMap(([test, failure]) => {
      // Of the repetitions of a test, Vitest itself remembers that one failed.
      const isOutvoted = test.repeats ? isSkipped(test.result) : test.result?.state !== 'fail'
      return isOutvoted ? failure : []
    })
  }
}
