import { join } from 'node:path'
import type { TestInfo } from '@playwright/test'
import type { Failure } from '../../explain/judge-attempt.ts'
import { existsSync, mkdirSync, writeFileSync } from '../../real/files.ts'

/** Notes for the attempts after this one, which run in other processes, that an attempt of a test failed. */
export function noteFailedAttempt(test: TestInfo): void {
  mkdirSync(test.project.outputDir, { recursive: true })
  writeFileSync(noteOf(test), '')
}

/**
 * The failure of an attempt that is skipped, or whose own failure is expected, where an attempt before asked for what is
 * not recorded: Playwright would take the test for flaky, or for passed, and the run for green.
 */
export function standingFailure(test: TestInfo): Failure | undefined {
  if (test.retry === 0 || test.expectedStatus === 'passed' || !existsSync(noteOf(test)))
    return undefined
  const became = test.status === 'skipped' ? 'is skipped' : 'fails as expected'
  return {
    code: 'miss',
    headline: `An attempt before failed for its cassette, and this one ${became}`,
    details:
      'The error of the attempt before says why. Such a failure counts, whatever the test becomes when it is tried again.\n' +
      'Record the test, or let it skip before it asks a model, in its first attempt too.',
  }
}

/** Playwright empties this folder at the beginning of a run. Several runs can share it. */
function noteOf({ project, testId }: TestInfo): string {
  return join(project.outputDir, `.cassette-failed-${process.ppid}-${testId}`)
}
