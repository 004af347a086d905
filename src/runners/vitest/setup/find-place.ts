import type { RunnerTestCase } from 'vitest'
import { pathFrom } from '../../../config/paths.ts'
import { loadClosing } from './load-closing.ts'
import type { PlaceOfTest } from './place-of-test.ts'

/**
 * The place of a test, or of an attempt of it. Most tests need only its file; the rest is found when it is read.
 *
 * @param sample the number of the attempt, from 2 on
 */
export function findPlace(test: RunnerTestCase, root: string, sample?: number): PlaceOfTest {
  const found = (): PlaceOfTest => loadClosing().placeOfTest(test, root)
  return {
    sample,
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
