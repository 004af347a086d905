import type { Fate } from './mutant.ts'

/** The result of a test with one mutant. */
interface Judged {
  exchange: string
  what: string
  fate: Fate
}

/** A test, with its results for all mutants. */
export interface JudgedTest {
  /** Relative to the working directory of the user. */
  file: string
  line?: number
  title: string
  cassette: string
  mutants: Judged[]
  /** The reason why some or all of its answers were not changed. */
  leftOut?: string
}

/** The number of mutants that were noticed, and how. */
export interface Score {
  mutants: number
  /** Noticed by the test itself. */
  assertion: number
  /** Noticed by the next request of the application. */
  requests: number
  survived: number
}

/** Counts the answers of tests. */
export function scoreOf(tests: readonly JudgedTest[]): Score {
  const fates = tests.flatMap(({ mutants }) => mutants.map(({ fate }) => fate))
  const count = (fate: Fate): number => fates.filter((one) => one === fate).length
  return {
    mutants: fates.length,
    assertion: count('assertion'),
    requests: count('requests'),
    survived: count('survived'),
  }
}

/** The share that was noticed, from 0 to 100; `undefined` where nothing was changed. */
export function percentOf({ mutants, survived }: Score): number | undefined {
  return mutants === 0 ? undefined : Math.floor(((mutants - survived) / mutants) * 100)
}
