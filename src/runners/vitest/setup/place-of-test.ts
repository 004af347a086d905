import type { RunnerTestCase, RunnerTestFile } from 'vitest'
import { pathFrom } from '../../../config/paths.ts'
import type { TestPlace } from '../../../cassette/test-place.ts'
import { placesIn, titlesOf } from './titles.ts'

/** The place of a test: its file, its titles, and its ordinal among tests of the same titles. */
export function placeOfTest(test: RunnerTestCase, root: string): TestPlace {
  const place = placesIn(test.file).get(test) ?? { titles: titlesOf(test), ordinal: 0 }
  return { file: pathFrom(root, test.file.filepath), ...place }
}

/** The places of all tests of a file. */
export function placesOfFile(file: RunnerTestFile, root: string): TestPlace[] {
  const name = pathFrom(root, file.filepath)
  return Array.from(placesIn(file).values(), (place) => ({ file: name, ...place }))
}
