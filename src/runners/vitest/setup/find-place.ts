import type { RunnerTestCase } from 'vitest'
import type { TestPlace } from '../../../cassette/test-place.ts'
import { pathFrom } from '../../../config/paths.ts'
import { loadClosing } from './load-closing.ts'

/** The place of an attempt of a test, of which most need the file alone: the rest is found when it is read. */
export function findPlace(test: RunnerTestCase, root: string): TestPlace {
  const found = (): TestPlace => loadClosing().placeOfTest(test, root)
  return {
    // A test that is not repeated loads nothing for this.
    sample: test.repeats ? loadClosing().nextSample(test) : undefined,
    file: pathFrom(root, test.file.filepath),
    get titles() {
      return found().titles
    },
    get ordinal() {
      return found().ordinal
    },
  }
}
