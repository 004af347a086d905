import type { RunnerTestCase, RunnerTestSuite, TestError } from 'vitest'
import { CassetteError, withFrames } from '../../../errors.ts'
import type { ReportedFailure } from '../../../explain/failure.ts'
import { takeConsequences, withConsequences } from '../../../transports/refuse.ts'

/**
 * Fails a test with one error, or a file with one for each of its failures. Drops errors that an application or SDK
 * made from our refusal. Other errors of the same attempt are consequences and become lines of the first.
 *
 * @param framesOf the lines of the stack of a failure
 * @throws always: the error for Vitest to report
 */
export function failTask<One extends ReportedFailure>(
  task: RunnerTestCase | RunnerTestSuite,
  [first, ...others]: [One, ...One[]],
  framesOf: (failure: One) => string[],
): never {
  // Vitest skips a test that called `skip()`, even if it fails afterwards.
  delete (task.result as { pending?: true } | undefined)?.pending
  const consequences = takeConsequences<TestError>(task.result?.errors ?? [])
  const error = reportedError(first, consequences, framesOf(first))
  if (others.length === 0) throw error
  // Vitest reports each of them.
  throw new AggregateError([error, ...others.map((one) => reportedError(one, [], framesOf(one)))])
}

/**
 * The error of a failure as Vitest reports it: its message, then the details and consequences as they stand, then the
 * stack.
 *
 * @param frames the lines of its stack
 */
export function reportedError(
  { code, headline, details }: ReportedFailure,
  consequences: ReadonlyArray<{ name?: string; message: string }>,
  frames: readonly string[],
): CassetteError {
  const lines = consequences.map(
    ({ name = 'Error', message }) => `${name}: ${message.split('\n')[0]}`,
  )
  return Object.assign(withFrames(new CassetteError(code, headline), frames), {
    diff: withConsequences(details, lines),
    // Otherwise Vitest computes a diff of its own.
    showDiff: false,
    // Vitest fails such an error under `test.fails` too, where it would count as the expected one.
    __vitest_test_syntax_error__: true,
  })
}
