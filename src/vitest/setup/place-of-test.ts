import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest'
import { printable } from '../../diff/render/printable.ts'
import { pathFrom } from '../../config/paths.ts'
import type { TestPlace } from '../../cassette/disk/test-place.ts'
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

/** The titles that {@link sharedTitles} has returned, by file. */
const named: WeakMap<RunnerTestFile, Set<string>> = new WeakMap()

/** The titles of a test, if another test of its file has the same ones and no earlier call returned them. */
export function sharedTitles(test: RunnerTestCase): string[] | undefined {
  const titles = titlesOf(test)
  const own = JSON.stringify(titles)
  let known = named.get(test.file)
  if (!known) named.set(test.file, (known = new Set()))
  if (known.has(own)) return undefined
  let count = 0
  eachTest(test.file.tasks, (other) => {
    if (JSON.stringify(titlesOf(other)) === own) count++
  })
  if (count < 2) return undefined
  known.add(own)
  return titles
}

/** Warns of tests that share their titles. */
export function warnOfSharedTitles(titles: string[]): void {
  console.warn(
    `[vitest-cassette] Several tests are called "${printable(titles.join(' > '))}". Only their order tells their cassettes apart: give each test a title of its own.`,
  )
}

function placeAll(file: RunnerTestFile, root: string): Map<RunnerTask, TestPlace> {
  const name = pathFrom(root, file.filepath)
  return new Map(Array.from(placesIn(file), ([test, place]) => [test, { file: name, ...place }]))
}
