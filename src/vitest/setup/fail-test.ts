import type { RunnerTestCase, RunnerTestSuite, TestError } from 'vitest'
import { pathFrom } from '../../config/paths.ts'
import type { Failure } from '../../explain/judge.ts'
import { CassetteError } from '../../errors.ts'
import { comesFromRefusal } from '../../intercept/call/refuse.ts'
import { failureError } from './failure-error.ts'

/** The most consequences that a failure shows. */
const MAX_CONSEQUENCES = 3

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
  const errors: TestError[] = task.result?.errors ?? []
  const consequences = errors
    .filter((error) => !comesFromRefusal(error) && !CassetteError.isInstance(error))
    .slice(0, MAX_CONSEQUENCES)
    .map((error) => `${error.name ?? 'Error'}: ${error.message.split('\n')[0]}`)
  errors.length = 0
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
