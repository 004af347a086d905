import { fileURLToPath } from 'node:url'
import type { TestError } from 'vitest'
import type { Failure } from '../../explain/judge.ts'
import type { CassetteError } from '../../errors.ts'
import { reportedError } from './reported-error.ts'

/** The folder of the built package, whose frames are left out. */
const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url))

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
  const frames = userFrames(failure.callSite?.stack)
  return reportedError(failure, consequences, frames.length > 0 ? frames : placeOf(location))
}

/** The frame of the location; none if its line is unknown, since Vitest would show the first line of the file. */
function placeOf(location: string): string[] {
  return /:\d+:\d+$/.test(location) ? [`    at ${location}`] : []
}

function userFrames(stack: string | undefined): string[] {
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return frames.filter((frame) => !/node_modules|node:/.test(frame) && !frame.includes(OWN_FOLDER))
}
