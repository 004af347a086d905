import type { TestRunner } from 'vitest'
import { replaceOnce } from '../../intercept/patch/replace-once.ts'

/**
 * Runs `setUp` before this worker imports anything for a further test file. With `isolate: false`, a worker runs several
 * files, and Node runs an imported set-up for the first of them only.
 */
export function setUpEveryFile({ prototype }: typeof TestRunner, setUp: () => Promise<void>): void {
  replaceOnce(prototype, 'importFile', (importFile) => {
    return async function (this: TestRunner, ...args) {
      await setUp()
      return importFile.apply(this, args)
    }
  })
}
