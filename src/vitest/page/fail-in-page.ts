import type { RunnerTestCase, RunnerTestSuite, TestError } from 'vitest'
import { takeConsequences } from '../../intercept/call/consequences.ts'
import type { PageVerdict } from '../browser/page-commands.ts'
import { reportedError } from '../setup/reported-error.ts'

type Failure = PageVerdict['failures'][number]

/**
 * Fails a test that ran in a page, as `failTest` fails one in Node. Other errors of the test become lines of the first.
 *
 * @param asked an error at the line of the page that made the last request
 * @throws always
 */
export function failInPage(
  task: RunnerTestCase | RunnerTestSuite,
  [first, ...others]: [Failure, ...Failure[]],
  asked: Error | undefined,
): never {
  const consequences = takeConsequences<TestError>(task.result?.errors ?? [])
  const error = reportedError(first, consequences, framesOf(asked))
  if (others.length === 0) throw error
  throw new AggregateError([error, ...others.map((other) => reportedError(other, [], []))])
}

function framesOf(asked: Error | undefined): string[] {
  const [, ...frames] =
    asked?.stack?.split('\n').filter((line) => !line.includes('/vitest-cassette/')) ?? []
  return frames
}
