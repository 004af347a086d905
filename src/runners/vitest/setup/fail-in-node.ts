import { fileURLToPath } from 'node:url'
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'
import { pathFrom } from '../../../config/paths.ts'
import { stackLines, type CassetteError } from '../../../errors.ts'
import type { ReportedFailure } from '../../../explain/failure.ts'
import { failTask, reportedError } from './fail-task.ts'

/** The folder of the built package, whose frames are left out. */
const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url))

/**
 * Fails a test or a file in Node, with its stack at the line of the application that made the request.
 *
 * @throws always, as {@link failTask} does
 */
export function failInNode(
  task: RunnerTestCase | RunnerTestSuite,
  failures: [ReportedFailure, ...ReportedFailure[]],
  root: string,
): never {
  const location = locationOf(task, root)
  failTask(task, failures, (failure) => framesAt(failure, location))
}

/**
 * The error of a failure that no test can report any more.
 *
 * @param location the place of the file, for requests whose stack has no frame of the application
 */
export function failureError(failure: ReportedFailure, location: string): CassetteError {
  return reportedError(failure, [], framesAt(failure, location))
}

function locationOf({ file, location }: RunnerTestCase | RunnerTestSuite, root: string): string {
  const path = pathFrom(root, file.filepath)
  return location ? `${path}:${location.line}:${location.column}` : path
}

function framesAt({ callSite }: ReportedFailure, location: string): string[] {
  const [frames = []] = [callSite, callSite?.cause]
    .map((error) => stackLines(error as Error | undefined).filter(isOfUser))
    .filter(({ length }) => length > 0)
  if (frames.length > 0) return frames
  // No frame if the line is unknown: Vitest would show the first line of the file.
  return /:\d+:\d+$/.test(location) ? [`    at ${location}`] : []
}

function isOfUser(frame: string): boolean {
  return !/node_modules|node:/.test(frame) && !frame.includes(OWN_FOLDER)
}

/** Fails a file before its tests, in the way of an import that fails. */
export function failFile(file: RunnerTestFile, error: Error): void {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error]
  file.mode = 'run'
  file.result = {
    state: 'fail',
    errors: errors.map((one) => {
      const { name, message, stack } = one
      return { ...(one as object), name, message, stack }
    }),
  }
}
