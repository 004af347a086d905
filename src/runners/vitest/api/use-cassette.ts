import type { TestOptions } from '../../../config/options.ts'
import { CassetteError } from '../../../errors.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import { currentScope, runningTest } from '../../../transports/scope.ts'
import type { WithSpeakers } from '../../../features/ask-speakers.ts'
import { checkTestOptions } from '../../../config/check-options.ts'
import { currentFile } from './current-file.ts'
import { setOptions } from './set-options.ts'
import { RunningCassette, type TestCassette } from './test-cassette.ts'

/**
 * The cassette of the test that is running, with options for it. In a test, a fixture, or a hook that
 * runs for each test, the options hold for that test. At the top of a file or in a `describe` they hold
 * for every test below it, and at the top of a file also for requests that belong to the file. The options nearest to
 * the test win.
 *
 * @throws CassetteError `invalid-option` for options that a test does not have, in hooks that run once
 * (`beforeAll`), where no set-up ran before, and as {@link TestCassette.use} does.
 * @example
 * describe('with retries', () => {
 *   const cassette = useCassette({ repeats: 'last' })
 *
 *   test('asks twice', async () => {
 *     await askTwice()
 *     expect(cassette.exchanges).toHaveLength(2)
 *   })
 * })
 */
export function useCassette(options: WithSpeakers<TestOptions> = {}): TestCassette {
  const checked = checkTestOptions(options)
  const setOn = (attempt: Attempt): void => setOptions(attempt, checked)
  const running = runningTest()
  if (running === 'file') throw misplaced()
  if (running) {
    setOn(running)
    return new RunningCassette(() => running)
  }
  const suite = currentFile('useCassette').runner.getCurrentSuite()
  if (Object.keys(checked).length > 0) {
    suite.on('aroundEach', async (runTest) => {
      setOn(testHere())
      await runTest()
    })
    const scope = currentScope()
    const isTopOfFile = suite.name === ''
    if (isTopOfFile && typeof scope === 'object') setOn(scope)
  }
  return new RunningCassette(testHere)
}

function testHere(): Attempt {
  const running = runningTest()
  if (running && running !== 'file') return running
  throw misplaced()
}

function misplaced(): CassetteError {
  return new CassetteError(
    'invalid-option',
    'No test is running here, and none can be defined. Call useCassette() in a test, in beforeEach, or at the top of ' +
      'a file or describe; and use what it returns in tests.',
  )
}
