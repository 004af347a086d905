import type { RunnerTestCase } from 'vitest'
import { pathFrom } from '../../../config/paths.ts'
import { loadClosing } from './load-closing.ts'
import type { PlaceOfTest } from './place-of-test.ts'

/** The place of an attempt of a test, of which most need the file alone: the rest is found when it is read. */
export function findPlace(test: RunnerTestCase, root: string): PlaceOfTest {
  const found = (): PlaceOfTest => loadClosing().placeOfTest(test, root)
  return {
    // A test that is not repeated loads nothing for this.
    sample: test.repeats ? loadClosing().nextSample(test) : undefined,
    file: pathFrom(root, test.file.filepath),
    get titles() {
      return found().titles
    },
    get row() {
      return found().row
    },
    get ordinal() {
      return found().ordinal
    },
  }
}
