import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest'
import { withOrdinals } from '../../cassette/disk/test-place.ts'

/** The place of a test in its file. */
export interface PlaceInFile {
  /** Titles of the suites and of the test itself, outermost first. */
  titles: string[]
  /** 0, or counts up among tests of one file that have the same titles. */
  ordinal: number
}

/** The places of all tests of a file; the tree is whole under `-t` and `only` too. */
export function placesIn(file: RunnerTestFile): Map<RunnerTask, PlaceInFile> {
  const tests: Array<{ test: RunnerTask; titles: string[] }> = []
  eachTest(file.tasks, (test) => tests.push({ test, titles: titlesOf(test) }))
  return new Map(withOrdinals(tests).map(({ test, ...place }) => [test, place]))
}

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

/** The states of all tests below a suite. */
export function statesIn(tasks: RunnerTask[]): Array<string | undefined> {
  const states: Array<string | undefined> = []
  eachTest(tasks, ({ result }) => states.push(result?.state))
  return states
}

/** Whether other tests may run at the same time as a test. */
export function runsBesideOthers(test: RunnerTestCase): boolean {
  for (let task: RunnerTask | undefined = test; task; task = task.suite)
    if (task.concurrent) return true
  return false
}

/** Whether Vitest retries a test that fails now; `false` if a condition on the error decides that. */
export function isTriedAgain({ retry = 0, result }: RunnerTestCase): boolean {
  const { count = 0, condition } = typeof retry === 'number' ? { count: retry } : retry
  return condition === undefined && (result?.retryCount ?? 0) < count
}

/** Whether a test has passed so far; under `fails`, whether it has failed. */
export function hasPassed({ fails, result }: RunnerTestCase): boolean {
  return fails ? result?.state === 'fail' : result?.state !== 'fail'
}
