import fc, { type RunDetails } from 'fast-check'
import { TestRunner } from 'vitest'
import { isNight } from './effort.ts'
import { repeatCommand, seed } from './random.ts'

fc.configureGlobal({
  seed,
  reporter: judge,
  // So long each property is tried at most, in milliseconds.
  ...(isNight ? {} : { interruptAfterTimeLimit: 150 }),
})

/** Fails as fast-check itself does, but skips the test where a slow machine had no time for a single try. */
function judge(run: RunDetails<unknown>): void {
  if (!run.failed) return
  if (!run.interrupted || run.numRuns > 0) {
    const message = `${fc.defaultReportMessage(run)}\n\nThe same again:\n  ${repeatCommand()}`
    throw new Error(message, { cause: run.errorInstance })
  }
  TestRunner.getCurrentTest()!.context.skip('this machine is too slow to try it once')
}
