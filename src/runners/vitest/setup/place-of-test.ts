import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest'
import { pathFrom } from '../../../config/paths.ts'
import type { TestPlace } from '../../../cassette/test-place.ts'
import { placesIn, titlesOf } from './titles.ts'

/** The places of all tests of a file; the tree is whole under `-t` and `only` too. */
const places: WeakMap<RunnerTestFile, Map<RunnerTask, TestPlace>> = new WeakMap()

/** The place of a test: its file, its titles, and its ordinal among tests of the same titles. */
export function placeOfTest(test: RunnerTestCase, root: string): TestPlace {
  let known = places.get(test.file)
  if (!known) places.set(test.file, (known = placeAll(test.file, root)))
  return (
    known.get(test) ?? {
      file: pathFrom(root, test.file.filepath),
      titles: titlesOf(test),
      ordinal: 0,
    }
  )
}

/** The places of all tests of a file. */
export function placesOfFile(file: RunnerTestFile, root: string): TestPlace[] {
  return [...placeAll(file, root).values()]
}

function placeAll(file: RunnerTestFile, root: string): Map<RunnerTask, TestPlace> {
  const name = pathFrom(root, file.filepath)
  return new Map(Array.from(placesIn(file), ([test, place]) => [test, { file: name, ...place }]))
}
