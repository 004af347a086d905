import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest'
import { printable } from '../../../text/printable.ts'
import { pathFrom } from '../../../config/paths.ts'
import { sameTitles, type TestPlace } from '../../../cassette/test-place.ts'
import { eachTest, placesIn, titlesOf } from './titles.ts'

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

/** The place of requests that a file makes outside of its tests. */
export function placeOfFile(filepath: string, root: string): TestPlace {
  return { file: pathFrom(root, filepath), titles: [], ordinal: 0 }
}

/** The titles of which {@link warnOfSharedTitles} has warned, by file. */
const named: WeakMap<RunnerTestFile, Set<string>> = new WeakMap()

/** Warns once of titles that several tests of a file have. */
export function warnOfSharedTitles(test: RunnerTestCase, root: string): void {
  const titles = titlesOf(test)
  const own = sameTitles(titles)
  let known = named.get(test.file)
  if (!known) named.set(test.file, (known = new Set()))
  if (known.has(own)) return
  let count = 0
  eachTest(test.file.tasks, (other) => {
    if (sameTitles(titlesOf(other)) === own) count++
  })
  if (count < 2) return
  known.add(own)
  const place = [pathFrom(root, test.file.filepath), ...titles].join(' > ')
  console.warn(
    `[vitest-cassette] Several tests are called "${printable(place)}". Only their order tells their cassettes apart: give each test a title of its own.`,
  )
}

function placeAll(file: RunnerTestFile, root: string): Map<RunnerTask, TestPlace> {
  const name = pathFrom(root, file.filepath)
  return new Map(Array.from(placesIn(file), ([test, place]) => [test, { file: name, ...place }]))
}
