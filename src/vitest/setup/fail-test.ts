import type { RunnerTestCase, RunnerTestSuite, TestError } from 'vitest'
import { pathFrom } from '../../config/paths.ts'
import type { Failure } from '../../explain/judge.ts'
import { takeConsequences } from '../../intercept/call/consequences.ts'
import { failureError } from './failure-error.ts'

/**
 * Fails a test with one error, or a file with one for each of its failures. Drops errors that an application or SDK
 * made from our refusal. Other errors of the same attempt are consequences and become lines of the first.
 *
 * @throws always: the error for Vitest to report
 */
export function failTest(
  task: RunnerTestCase | RunnerTestSuite,
  [failure, ...others]: [Failure, ...Failure[]],
  root: string,
): never {
  const consequences = takeConsequences<TestError>(task.result?.errors ?? [])
  const location = locationOf(task, root)
  const error = failureError(failure, consequences, location)
  if (others.length === 0) throw error
  // Vitest reports each of them.
  throw new AggregateError([error, ...others.map((other) => failureError(other, [], location))])
}

function locationOf({ file, location }: RunnerTestCase | RunnerTestSuite, root: string): string {
  const path = pathFrom(root, file.filepath)
  return location ? `${path}:${location.line}:${location.column}` : path
}
