import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'
import type { AttemptOutcome } from '../../../explain/judge-attempt.ts'
import { eachTest } from './titles.ts'

/** How a test, or a file with all its tests, has ended in the runner. */
export type RunnerOutcome = Pick<AttemptOutcome, 'passed' | 'partial' | 'isTriedAgain'>

/** How a test has ended so far. Under `fails` it has passed if it failed. A skip has not failed, wherever it came. */
export function outcomeOfTest({
  fails,
  result,
  retry = 0,
}: Pick<RunnerTestCase, 'fails' | 'result' | 'retry'>): RunnerOutcome {
  const { state, retryCount = 0 } = result ?? {}
  const skipped = isSkipped(result)
  const { count = 0, condition } = typeof retry === 'number' ? { count: retry } : retry
  return {
    passed: fails && !skipped ? state === 'fail' : state !== 'fail',
    partial: skipped,
    // If `retry` has a condition on the error, we cannot know whether Vitest tries again.
    isTriedAgain: condition === undefined && retryCount < count,
  }
}

/** Whether a test has called `skip()`. Its type leaves out the mark by which Vitest then skips it, whatever follows. */
export function isSkipped(
  result: (object & { state?: string; pending?: boolean }) | undefined,
): boolean {
  return result?.state === 'skip' || result?.pending === true
}

/** How the tests of a file have ended. */
export function outcomeOfFile({ tasks }: RunnerTestSuite | RunnerTestFile): RunnerOutcome {
  const states: Array<string | undefined> = []
  eachTest(tasks, ({ result }) => states.push(result?.state))
  return {
    passed: !states.includes('fail'),
    partial: states.some((state) => state !== 'pass' && state !== 'fail'),
  }
}

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
