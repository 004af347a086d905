import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest'
import { withOrdinals } from '../../../cassette/test-place.ts'
import { rememberFor } from '../../../remember.ts'

/** The place of a test in its file. */
export interface PlaceInFile {
  /** Titles of the suites and of the test itself, outermost first. */
  titles: string[]
  /** 0, or counts up among tests of one file that have the same titles. */
  ordinal: number
}

/** The places of all tests of a file; the tree is whole under `-t` and `only` too. */
export const placesIn: (file: RunnerTestFile) => ReadonlyMap<RunnerTask, PlaceInFile> = rememberFor(
  (file) => {
    const tests: Array<{ test: RunnerTask; titles: string[] }> = []
    eachTest(file.tasks, (test) => tests.push({ test, titles: titlesOf(test) }))
    return new Map(withOrdinals(tests).map(({ test, ...place }) => [test, place]))
  },
)

export function eachTest(tasks: RunnerTask[], visit: (test: RunnerTestCase) => void): void {
  for (const task of tasks) {
    if (task.type === 'suite') eachTest(task.tasks, visit)
    else visit(task as RunnerTestCase)
  }
}

export function titlesOf(test: RunnerTask): string[] {
  const titles = [test.name]
  for (let suite = test.suite; suite && suite !== (test.file as RunnerTask); suite = suite.suite) {
    titles.unshift(suite.name)
  }
  return titles
}
