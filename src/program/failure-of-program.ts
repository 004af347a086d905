import { CassetteError } from '../errors.ts'
import type { Failure } from '../explain/judge.ts'

/** The error with which a program learns that its cassette failed; its stack is where the request was made. */
export function failureOfProgram({ code, headline, details, callSite }: Failure): CassetteError {
  const error = new CassetteError(code, `${headline}\n${details}`)
  const [, ...frames] = callSite?.stack?.split('\n') ?? []
  if (frames.length > 0) error.stack = `${error.name}: ${error.message}\n${frames.join('\n')}`
  return error
}
