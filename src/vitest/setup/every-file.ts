import type { TestRunner } from 'vitest'

/** The runners whose files are all set up. */
const wrapped = new WeakSet<object>()

/**
 * Runs `setUp` before this worker imports anything for a further test file. With `isolate: false`, a worker runs several
 * files, and Node runs an imported set-up for the first of them only.
 */
export function setUpEveryFile({ prototype }: typeof TestRunner, setUp: () => Promise<void>): void {
  if (wrapped.has(prototype)) return
  wrapped.add(prototype)
  const { importFile } = prototype
  prototype.importFile = async function (...args) {
    await setUp()
    return importFile.apply(this, args)
  }
}
