import { fileURLToPath } from 'node:url'
import type { Failure } from '../../explain/judge.ts'
import { CassetteError } from '../../errors.ts'

/** The folder of the built package, whose frames are left out. */
const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url))

/**
 * The error with which a test fails. Vitest prints its message, then `diff` as it stands, then the
 * stack at the line of the application that made the request.
 *
 * @param consequences one line for each error of the test that followed from the failure
 * @param location the place of the test, for requests whose stack has no frame of the application
 */
export function failureError(
  failure: Failure,
  consequences: string[],
  location: string,
): CassetteError {
  const { code, headline, details, callSite } = failure
  const error = new CassetteError(code, headline)
  const followed = consequences.map((line) => `Then the test failed with: ${line}`)
  const frames = userFrames(callSite?.stack)
  error.stack = [
    `${error.name}: ${headline}`,
    ...(frames.length > 0 ? frames : placeOf(location)),
  ].join('\n')
  return Object.assign(error, {
    diff: [details, ...followed].join('\n\n'),
    // Otherwise Vitest computes a diff of its own.
    showDiff: false,
    // Vitest fails such an error under `test.fails` too, where it would count as the expected one.
    __vitest_test_syntax_error__: true,
  })
}

/** The frame of the location; none if its line is unknown, since Vitest would show the first line of the file. */
function placeOf(location: string): string[] {
  return /:\d+:\d+$/.test(location) ? [`    at ${location}`] : []
}

function userFrames(stack: string | undefined): string[] {
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return frames.filter((frame) => !/node_modules|node:/.test(frame) && !frame.includes(OWN_FOLDER))
}
