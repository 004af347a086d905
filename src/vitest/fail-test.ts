import type { RunnerTestCase, RunnerTestSuite, TestError } from 'vitest'
import type { Failure } from '../engine/judge.ts'
import { CassetteError } from '../errors.ts'
import { comesFromRefusal } from '../intercept/refusal.ts'
import { failureError } from './failure-error.ts'
import { fileName } from './test-place.ts'

/** Consequences beyond these say nothing new. */
const MAX_CONSEQUENCES = 3

/**
 * Fails a test, or a file, with one error. What an application or SDK made from our refusal is
 * dropped; other errors of the same attempt followed from it and become a line of the one.
 *
 * @throws always: the error for Vitest to report
 */
export function failTest(
  task: RunnerTestCase | RunnerTestSuite,
  failure: Failure,
  root: string,
): never {
  const errors: TestError[] = task.result?.errors ?? []
  const consequences = errors
    .filter((error) => !comesFromRefusal(error) && !CassetteError.isInstance(error))
    .slice(0, MAX_CONSEQUENCES)
    .map((error) => `${error.name ?? 'Error'}: ${error.message.split('\n')[0]}`)
  errors.length = 0
  throw failureError(failure, consequences, locationOf(task, root))
}

function locationOf({ file, location }: RunnerTestCase | RunnerTestSuite, root: string): string {
  const path = fileName(file.filepath, root)
  return location ? `${path}:${location.line}:${location.column}` : `${path}:1:1`
}
