import { stripVTControlCharacters } from 'node:util'
import type { TestInfo } from '@playwright/test'
import { CassetteError } from '../errors.ts'
import type { Failure } from '../explain/judge.ts'
import { comesFromRefusal } from '../intercept/call/refuse.ts'

/** Consequences beyond these say nothing new. */
const MAX_CONSEQUENCES = 3

/**
 * Fails a test with one error. What else the test failed with followed from it, and becomes a line of it; `test.fail()`
 * expects another failure than this.
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

/** The error of what a test did not wait for. */
export function failureOfLate({ code, headline, details }: Failure): CassetteError {
  const error = new CassetteError(code, `${headline}\n${details}`)
  error.stack = `${error.name}: ${error.message}`
  return error
}
