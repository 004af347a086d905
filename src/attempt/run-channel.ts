import { join } from '../real/path.ts'
import { readFileSync } from '../real/files.ts'
import type { OrphanReport } from '../cassette/orphans.ts'
import type { Price } from '../config/options.ts'
import type { UsageTotal } from '../conversation/cost.ts'
import type { AskedInRun } from '../explain/between-runs.ts'
import type { Diagnosis } from '../explain/diagnose.ts'
import type { ImportVerdict } from '../explain/explain-imported.ts'
import { readJsonLines } from '../json/json-lines.ts'
import { remember } from '../remember.ts'
import { appendJsonLine, writeNote } from '../secrets/notes.ts'
import type { StartedRun } from '../config/environment.ts'
import type { TestShape } from './closing/shape-of-test.ts'

export type { TestShape, Size } from './closing/shape-of-test.ts'

/** The instructions of `record` and `rehearse --live` to the processes of their run. */
interface RecordPlan {
  /**
   * The cassettes to record, relative to the working directory; all others replay. A folder, which ends with a slash,
   * stands for all cassettes of a test file. Absent: all are recorded.
   */
  chosen?: string[]
  /** In US dollars: no call is sent that could pass it. */
  maxCost?: number
  /** The models to use in place of others; `*` stands for all that are not named. */
  models?: Record<string, string>
  /** No cassette is written: the run only shows whether the tests pass. */
  discards?: true
  /** The folder has cassettes that tests replay in the place of theirs, so their results say nothing about those. */
  standIns?: true
}

/**
 * A message from a process of the run to the command: one line. All processes see the same order of lines, so that no
 * two of them take the same money of the cap, without a lock.
 */
export type RunLine =
  /** A project takes part. */
  | { kind: 'project'; root: string; dir: string; prices: Record<string, Price> }
  /** The run does not start, and why. */
  | { kind: 'refused-start'; why: string }
  /** A test has ended; without a cassette it asked nothing. */
  | {
      kind: 'test'
      passed: boolean
      /** Its file and its titles; absent for a file outside of its tests. */
      title?: string
      cassette?: TestCassetteLine
      test?: TestLine
      error?: string
    }
  /** Cassettes that got another path after their tests had ended, by the path that these lines name. */
  | { kind: 'moved'; cassettes: Record<string, string> }
  /** A test, or a file outside of its tests, has failed, and not since its cassette misses. */
  | { kind: 'failed'; file: string; title: string; why: string }
  /** A call is about to be sent, with its estimated cost. */
  | { kind: 'ask'; key: string; cost: number }
  /** The call was not sent: it could have passed the limit. */
  | { kind: 'refused'; key: string; cassette: string }
  /** The call was answered; the last line of a call counts. */
  | { kind: 'answer'; key: string; took: UsageTotal; cassette?: string }
  /** The requests of a test, for `doctor`. */
  | { kind: 'asked'; asked: AskedInRun }
  /** What a test did, without a text of its own, for `doctor --report`. */
  | { kind: 'shape'; shape: TestShape }
  /** How a project runs, for `doctor --report`. */
  | { kind: 'setting'; setting: ProjectSetting }
  /** The findings about a test that failed, for `doctor`. */
  | { kind: 'diagnosis'; found: Diagnosis }
  /** Why a test fails whose recording was imported, for `import`. */
  | { kind: 'imported'; verdict: ImportVerdict }
  /** The cassettes without a test, for `prune`. */
  | { kind: 'orphans'; report: OrphanReport }

/** A test of a run with stand-ins. */
export interface TestLine {
  /** Its file, absolute. */
  file: string
  /** The files that its file loads, itself among them. */
  files: string[]
  /** Its line in the file, where Vitest knows it. */
  line?: number
  /** Its title, with those of its suites. */
  title: string
  /** Whether it failed for another reason than its cassette. */
  failedItself: boolean
}

/** How a project runs. */
export interface ProjectSetting {
  /** Its root, and the folder of its cassettes: to find them, not to tell. */
  root: string
  dir: string
  pool: string
  environment: string
  isolate: boolean
  browser: boolean
  /** The options of its config that differ from the defaults. */
  options: Record<string, string>
}

/** The use of a cassette by its test. */
export interface TestCassetteLine {
  /** Relative to the working directory. */
  path: string
  /** Whether there was a recording. */
  isRecorded: boolean
  recorded: number
  misses: number
  /** The hash of the first prompt of a test without a recording. */
  asks?: string
  unused: number
  /** The title of the test. */
  title?: string
  /** The addresses that missed. */
  urls?: string[]
  /** The variable with the key that the provider refused, and the status. */
  refused?: string
  /** The answers that were kept for changed prompts. */
  kept?: number
  /** The requests that are stored as they are sent now. */
  respelled?: number
  /** Whether the recording is no longer valid. */
  isInvalid?: boolean
}

const PLAN = 'plan.json'
const LINES = 'lines.jsonl'

/** Writes the plan of a run. */
export function writePlan(folder: string, plan: RecordPlan): void {
  writeNote(join(folder, PLAN), JSON.stringify(plan))
}

/** The plan of a run; empty where there is none. It does not change while the run lasts. */
export const readPlan: (folder: string) => RecordPlan = remember((folder) => {
  try {
    return JSON.parse(readFileSync(join(folder, PLAN), 'utf8')) as RecordPlan
  } catch {
    return {}
  }
})

/** Whether a run only shows whether its tests pass: nothing of it is kept. */
export function isDiscarded(folder: string | undefined): boolean {
  return folder !== undefined && readPlan(folder).discards === true
}

/** Whether the tests of a run may replay other cassettes than theirs. */
export function hasStandIns(run: StartedRun | undefined): boolean {
  return run?.by === 'record' && readPlan(run.folder).standIns === true
}

/** Whether the plan of a run leaves a cassette out. */
export function isLeftOut(folder: string, cassette: string): boolean {
  const { chosen } = readPlan(folder)
  if (!chosen) return false
  return !chosen.some((one) => one === cassette || (one.endsWith('/') && cassette.startsWith(one)))
}

/**
 * Adds a line. All readers see the lines of all processes in the same order. The requests of two runs are compared, so
 * two that held different credentials stay different.
 */
export function appendLine(folder: string, line: RunLine): void {
  appendJsonLine(join(folder, LINES), line, { distinct: line.kind === 'asked' })
}

/** All lines so far. */
export function readLines(folder: string): RunLine[] {
  return readJsonLines(join(folder, LINES))
}
