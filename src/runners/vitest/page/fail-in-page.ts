import type { RunnerTestCase, RunnerTestSuite } from 'vitest'
import type { PageVerdict } from '../browser/page-commands.ts'
import { failTask } from '../setup/fail-task.ts'

type Failure = PageVerdict['failures'][number]

/**
 * Fails a test that ran in a page, as `failTest` fails one in Node.
 *
 * @param asked an error at the line of the page that made the last request
 * @throws always
 */
export function failInPage(
  task: RunnerTestCase | RunnerTestSuite,
  failures: [Failure, ...Failure[]],
  asked: Error | undefined,
): never {
  failTask(task, failures, (failure) => (failure === failures[0] ? framesOf(asked) : []))
}

function framesOf(asked: Error | undefined): string[] {
  const [, ...frames] =
    asked?.stack?.split('\n').filter((line) => !line.includes('/vitest-cassette/')) ?? []
  return frames
}
