import type { RunnerTestCase, RunnerTestSuite, TestError } from 'vitest'
import { CassetteError } from '../../errors.ts'
import { comesFromRefusal } from '../../intercept/call/refuse.ts'
import type { PageVerdict } from '../browser/page-commands.ts'

/** The most consequences that a failure shows. */
const MAX_CONSEQUENCES = 3

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
  const errors: TestError[] = task.result?.errors ?? []
  const followed = errors
    .filter((error) => !comesFromRefusal(error))
    .slice(0, MAX_CONSEQUENCES)
    .map(
      ({ name = 'Error', message }) =>
        `Then the test failed with: ${name}: ${message.split('\n')[0]}`,
    )
  errors.length = 0
  const error = errorOf(first, followed, asked)
  if (others.length === 0) throw error
  throw new AggregateError([error, ...others.map((other) => errorOf(other, [], undefined))])
}

function errorOf({ code, headline, details }: Failure, followed: string[], asked?: Error): Error {
  const error = new CassetteError(code, headline)
  const frames =
    asked?.stack?.split('\n').filter((line) => !line.includes('/vitest-cassette/')) ?? []
  error.stack = [`${error.name}: ${headline}`, ...frames.slice(1)].join('\n')
  return Object.assign(error, {
    diff: [details, ...followed].join('\n\n'),
    showDiff: false,
    // Vitest fails such an error under `test.fails` too.
    __vitest_test_syntax_error__: true,
  })
}
