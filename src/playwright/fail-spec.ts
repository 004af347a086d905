import { stripVTControlCharacters } from 'node:util'
import type { TestInfo } from '@playwright/test'
import { CassetteError } from '../errors.ts'
import type { Failure } from '../explain/judge.ts'
import { comesFromRefusal } from '../intercept/call/refuse.ts'

/** The number of consequences to print. */
const MAX_CONSEQUENCES = 3

/**
 * Fails a test with one error. Its other errors followed from this one, and become lines of it. `test.fail()` does not
 * expect this failure.
 *
 * @throws always
 */
export function failSpec(test: TestInfo, failure: Failure): never {
  const consequences = test.errors
    .splice(0)
    .filter((error) => !comesFromRefusal(error))
    .slice(0, MAX_CONSEQUENCES)
    .map(({ message = '' }) => stripVTControlCharacters(message).split('\n')[0])
  test.expectedStatus = 'passed'
  const { code, headline, details } = failure
  const followed = consequences.map((line) => `Then the test failed with: ${line}`)
  const error = new CassetteError(code, [`${headline}\n${details}`, ...followed].join('\n\n'))
  const { file, line, column } = test
  error.stack = `${error.name}: ${error.message}\n    at ${file}:${line}:${column}`
  throw error
}

/** The error of a request for which a test did not wait. */
export function failureOfLate({ code, headline, details }: Failure): CassetteError {
  const error = new CassetteError(code, `${headline}\n${details}`)
  error.stack = `${error.name}: ${error.message}`
  return error
}
