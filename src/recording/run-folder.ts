import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Price } from '../config/price.ts'
import type { UsageTotal } from '../conversation/cost/usage.ts'

/** What the command says to the processes of its run. */
export interface RecordPlan {
  /** The cassettes that are recorded, from where the user stands; all others replay. Absent: all are. */
  chosen?: string[]
  /** In US dollars: no call is sent that could pass it. */
  maxCost?: number
  /** The models that are asked in the place of others; `*` stands for all that are not named. */
  models?: Record<string, string>
  /** No cassette is written: the run only shows whether the tests pass. */
  discards?: true
}

/** What a process of the run says to the command: one line. */
export type RunLine =
  /** A project takes part. */
  | { kind: 'project'; root: string; dir: string; prices: Record<string, Price> }
  /** A test has ended; without a cassette it asked nothing. */
  | { kind: 'test'; passed: boolean; cassette?: TestCassetteLine }
  /** A call is about to be sent, and is held to cost that much. */
  | { kind: 'ask'; key: string; cost: number }
  /** It was not sent: what may be spent would not have been enough. */
  | { kind: 'refused'; key: string; cassette: string }
  /** It was answered; the last line of a call counts. */
  | { kind: 'answer'; key: string; took: UsageTotal; cassette?: string }

/** What a test did with its cassette. */
export interface TestCassetteLine {
  /** From where the user stands. */
  path: string
  /** Whether there was a recording. */
  isRecorded: boolean
  recorded: number
  misses: number
  /** The hash of the first prompt of a test without a recording. */
  asks?: string
  unused: number
}

const PLAN = 'plan.json'
const LINES = 'lines.jsonl'

/** Makes the folder of a run. The process that made it deletes it. */
export function makeRunFolder(): string {
  return mkdtempSync(join(tmpdir(), 'vitest-cassette-record-'))
}

/** Deletes the folder of a run. */
export function deleteRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Says what the run is to do. */
export function writePlan(folder: string, plan: RecordPlan): void {
  writeFileSync(join(folder, PLAN), JSON.stringify(plan))
}

/** Plans do not change while a run lasts. */
const plans = new Map<string, RecordPlan>()

/** What the run is to do; nothing is said where there is no plan. */
export function readPlan(folder: string): RecordPlan {
  let plan = plans.get(folder)
  if (!plan) plans.set(folder, (plan = tryRead(join(folder, PLAN))))
  return plan
}

function tryRead(file: string): RecordPlan {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RecordPlan
  } catch {
    return {}
  }
}

/** Whether a run only shows whether its tests pass: nothing of it is kept. */
export function isDiscarded(folder: string | undefined): boolean {
  return folder !== undefined && readPlan(folder).discards === true
}

/** Whether a cassette is none of those that the run records. */
export function isLeftOut(folder: string, cassette: string): boolean {
  return readPlan(folder).chosen?.includes(cassette) === false
}

/** Adds a line. Lines of several processes come in one order, the same to all who read them. */
export function appendLine(folder: string, line: RunLine): void {
  // Begins with the line break: what is torn spoils no other line.
  appendFileSync(join(folder, LINES), `\n${JSON.stringify(line)}`)
}

/** All lines so far. */
export function readLines(folder: string): RunLine[] {
  let text: string
  try {
    text = readFileSync(join(folder, LINES), 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as RunLine]
    } catch {
      return []
    }
  })
}
