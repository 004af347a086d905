import { CassetteError, framesOf, withFrames } from '../errors.ts'
import type { Failure } from '../explain/judge.ts'

/** The error of a program whose cassette failed. Its stack is that of the request. */
export function failureOfProgram({ code, headline, details, callSite }: Failure): CassetteError {
  // A program that fails sends fewer requests, and `finally { await cassette.close() }` hides its error.
  const hint =
    code === 'unused'
      ? '\n\nThe program may have failed before it asked. Where close() stands in a finally, that error is hidden by this one: `await using cassette = openCassette(…)` keeps both.'
      : ''
  const error = new CassetteError(code, `${headline}\n${details}${hint}`)
  return callSite ? withFrames(error, framesOf(callSite)) : error
}
