import { fileURLToPath } from 'node:url'
import type { RunnerTestCase, RunnerTestSuite, TestError } from 'vitest'
import { pathFrom } from '../../config/paths.ts'
import { framesOf, type CassetteError } from '../../errors.ts'
import type { Failure } from '../../explain/judge.ts'
import { takeConsequences } from '../../intercept/call/consequences.ts'
import { reportedError } from './reported-error.ts'

/** The folder of the built package, whose frames are left out. */
const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url))

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

/**
 * The error with which a test fails, with the stack at the line of the application that made the request.
 *
 * @param consequences the errors of the test that followed from the failure
 * @param location the place of the test, for requests whose stack has no frame of the application
 */
export function failureError(
  failure: Failure,
  consequences: readonly TestError[],
  location: string,
): CassetteError {
  const frames = framesOf(failure.callSite).filter(isOfUser)
  return reportedError(failure, consequences, frames.length > 0 ? frames : placeOf(location))
}

/** The frame of the location; none if its line is unknown, since Vitest would show the first line of the file. */
function placeOf(location: string): string[] {
  return /:\d+:\d+$/.test(location) ? [`    at ${location}`] : []
}

function isOfUser(frame: string): boolean {
  return !/node_modules|node:/.test(frame) && !frame.includes(OWN_FOLDER)
}
