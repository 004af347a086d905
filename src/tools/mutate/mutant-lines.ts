import type { Fate } from './mutant.ts'

/** A line that a process of a run writes. */
export type MutantLine =
  /** A project of the run. */
  | { kind: 'project'; root: string; dir: string }
  /** A test with LLM calls that has ended. */
  | ({ kind: 'test' } & TestLine)

/** A test, and how it ended. */
export interface TestLine {
  /** Its file, absolute. */
  file: string
  /** The files that its file loads, itself among them. */
  files: string[]
  /** Its line in the file, where Vitest knows it. */
  line?: number
  /** Its title, with those of its suites. */
  title: string
  /** The path of its cassette, relative to the working directory of the user. */
  cassette: string
  passed: boolean
  /** Whether it failed for another reason than its cassette. */
  failedItself: boolean
  misses: number
}

/** The fate of a mutant, from the result of its test. */
export function fateOf({ passed, failedItself, misses }: TestLine): Fate {
  if (!passed && misses > 0) return 'requests'
  return !passed && failedItself ? 'assertion' : 'survived'
}
