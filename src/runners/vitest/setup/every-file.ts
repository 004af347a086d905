import type { RunnerTestFile, TestRunner } from 'vitest'
import { replaceOnce } from '../../../real/builtin.ts'
import { loadClosing } from './load-closing.ts'

/**
 * Runs `setUp` before this worker imports anything for a further test file. With `isolate: false`, a worker runs several
 * files, and Node runs an imported set-up for the first of them only. Each import runs in the scope of its own file: a
 * module can go on when a later file runs.
 *
 * @param enter enters that scope, and returns whether the file is set up already
 */
export function setUpEveryFile(
  { prototype }: typeof TestRunner,
  setUp: () => Promise<void>,
  enter: () => boolean,
): void {
  replaceOnce(prototype, 'importFile', (importFile) => {
    // Not async: what it enters, its caller collects the tests in.
    return function (this: TestRunner, ...args) {
      if (enter()) return importFile.apply(this, args)
      return setUp().then(() => {
        enter()
        return importFile.apply(this, args)
      })
    }
  })
}

/**
 * Ends the file of this worker if its tests are all skipped, for which Vitest runs no hook: what the file asked while it
 * was imported can be why they are.
 *
 * @param end throws the error for which the file fails
 */
export function endSkippedFile(
  { prototype }: typeof TestRunner,
  path: string,
  end: (file: RunnerTestFile) => Promise<void>,
): void {
  replaceOnce(prototype, 'onBeforeRunSuite', (onBeforeRunSuite) => {
    return async function (this: TestRunner, suite) {
      await onBeforeRunSuite.call(this, suite)
      const { file, mode } = suite
      const isSkipped = mode === 'skip' || mode === 'todo'
      if (suite === file && isSkipped && file.filepath === path)
        await end(file).catch((error: Error) => loadClosing().failFile(file, error))
    }
  })
}
