import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryParseJson } from '../json/json-value.ts'
import type { Fate } from './mutant.ts'

/** What a process of a run says: one line. */
export type MutantLine =
  /** A project takes part. */
  | { kind: 'project'; root: string; dir: string }
  /** A test that asked a model has ended. */
  | ({ kind: 'test' } & TestLine)

/** A test, and how it ended. */
export interface TestLine {
  /** Its file, absolute. */
  file: string
  /** The files that its file loads, itself among them. */
  files: string[]
  /** In its file, where Vitest knows it. */
  line?: number
  /** With its suites. */
  title: string
  /** The path of its cassette, from where the user stands. */
  cassette: string
  passed: boolean
  /** Whether it failed for anything but its cassette. */
  failedItself: boolean
  misses: number
}

const LINES = 'lines.jsonl'

/** Says what became of a test. */
export function appendMutantLine(folder: string, line: MutantLine): void {
  appendFileSync(join(folder, LINES), `${JSON.stringify(line)}\n`)
}

/** What a test made of a mutant. */
export function fateOf({ passed, failedItself, misses }: TestLine): Fate {
  if (!passed && misses > 0) return 'requests'
  return !passed && failedItself ? 'assertion' : 'survived'
}

/** What has been said so far. */
export function readMutantLines(folder: string): MutantLine[] {
  let text: string
  try {
    text = readFileSync(join(folder, LINES), 'utf8')
  } catch {
    return []
  }
  // A process that was killed leaves half a line.
  return text.split('\n').flatMap((line) => (tryParseJson(line) as MutantLine | undefined) ?? [])
}
