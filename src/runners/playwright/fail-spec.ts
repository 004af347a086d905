import { stripVTControlCharacters } from 'node:util'
import type { TestInfo } from '@playwright/test'
import { CassetteError, withFrames } from '../../errors.ts'
import type { Failure } from '../../explain/judge-attempt.ts'
import { takeConsequences, withConsequences } from '../../transports/refuse.ts'

/**
 * Fails a test with one error. Its other errors followed from this one, and become lines of it. `test.fail()` does not
 * expect this failure.
 *
 * @throws always
 */
export function failSpec(test: TestInfo, failure: Failure): never {
  const consequences = takeConsequences(test.errors).map(
    ({ message = '' }) => stripVTControlCharacters(message).split('\n')[0]!,
  )
  test.expectedStatus = 'passed'
  const { code, headline, details } = failure
  const error = new CassetteError(code, withConsequences(`${headline}\n${details}`, consequences))
  const { file, line, column } = test
  throw withFrames(error, [`    at ${file}:${line}:${column}`])
}

/** The error of a request for which a test did not wait. */
export function failureOfLate({ code, headline, details }: Failure): CassetteError {
  return withFrames(new CassetteError(code, `${headline}\n${details}`), [])
}
