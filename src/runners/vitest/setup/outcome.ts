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
