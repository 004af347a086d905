import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RedactRule } from '../../../config/options.ts'
import { pathFrom } from '../../../config/paths.ts'
import { closestTo } from '../../../text/closest-names.ts'
import { configWords, listTests } from '../../programs/run-vitest.ts'
import type { Terminal } from '../../terminal/command.ts'
import { invalidCommand, type OptionValues, textOption } from '../../terminal/options.ts'
import { readRules, whyKept } from '../plan.ts'
import { type KnownTest, knownTests, type Target, targetsIn, testNamed } from '../targets.ts'
import { firstTest } from './first-test.ts'
import { type MadeOfTrace, makeTraceCassette } from './make-trace-cassette.ts'
import type { Trace } from './read-traces.ts'
import { distinctTraces } from './same-traces.ts'
import type { TraceFile } from './trace-files.ts'

/** What becomes of traces. */
export interface TracePlan {
  files: readonly TraceFile[]
  /** Those that say something of their own, in the order of the files. */
  traces: PlannedTrace[]
}

/** A test that is written for a trace. */
export interface FirstTestFile {
  /** Relative to the working directory. */
  file: string
  code: string
}

/** A trace and its cassette. */
export interface PlannedTrace extends MadeOfTrace {
  file: string
  trace: Trace
  /** The ids of the traces that say the same, and become nothing. */
  same: string[]
  /** Absent where no place was named. */
  target?: Target
  /** Set for a test that there is, and which can be run. */
  test?: KnownTest
  /** A test to start with, which is written beside the cassette. */
  first?: FirstTestFile
  /** Why nothing is written; absent where it is. */
  kept?: string
}

/** Finds the place of the cassette of each trace, and makes it. */
export async function planTraces(
  files: readonly TraceFile[],
  values: OptionValues,
  terminal: Terminal,
): Promise<TracePlan> {
  const fileOf = new Map(files.flatMap(({ file, traces }) => traces.map((trace) => [trace, file])))
  const asking = [...fileOf.keys()].filter(({ calls }) => calls.length > 0)
  const named = distinctTraces(asking).map((one) => ({
    ...one,
    file: fileOf.get(one.trace)!,
    name: one.trace.id,
  }))
  const placed = await placesOf(named, values, terminal)
  const cutTexts = values['cut-texts'] === true
  const making = { env: terminal.env, redact: readRules(values), cutTexts, now: new Date() }
  const traces = Array.from(
    terminal.progress.over(named, 'cassettes made'),
    ({ name, ...one }): PlannedTrace => {
      const { target, isNew, test } = placed(one.trace)
      const title = target?.title ?? name
      const make = (...more: RedactRule[]): MadeOfTrace =>
        makeTraceCassette(one.trace, title, { ...making, redact: [...making.redact, ...more] })
      const made = make()
      const kept = target && whyKept(made, make, target, values, terminal)
      const { titles = [], file = '' } = test ?? {}
      return {
        ...one,
        ...made,
        ...(target ? { target } : {}),
        ...(test && !isNew ? { test } : {}),
        ...(test && isNew
          ? { first: { file, code: firstTest(made, { titles, cassette: test.shown }) } }
          : {}),
        ...(kept === undefined ? {} : { kept }),
      }
    },
  )
  return { files, traces }
}

/** The most names that an error lists. */
const MOST_NAMED = 5

/** Where a trace goes. */
interface Place {
  target?: Target
  test?: KnownTest
  /** The test is written, too. */
  isNew?: boolean
}

async function placesOf(
  named: ReadonlyArray<{ trace: Trace; file: string; name: string }>,
  values: OptionValues,
  terminal: Terminal,
): Promise<(trace: Trace) => Place> {
  const to = textOption(values, 'to')
  const isForTest = values.test !== undefined || values['write-test'] !== undefined
  if (isForTest && to !== undefined)
    throw invalidCommand('A trace goes to its test, or to a place of --to. Say one of both.')
  if (isForTest && named.length > 1) {
    const ids = named.slice(0, MOST_NAMED).map(({ name }) => name)
    throw invalidCommand(
      `A test has one cassette, and these are ${named.length} traces: ${ids.join(', ')}${named.length > MOST_NAMED ? ', …' : ''}.\n` +
        'Export the one that is meant, or make a cassette of each with --to <folder>.',
    )
  }
  if (isForTest) {
    const place = await testOf(named[0]!.name, values, terminal)
    return () => place
  }
  const targets = to === undefined ? undefined : targetsIn(to, named, terminal)
  const byTrace = new Map(
    Array.from(targets ?? [], ([{ trace }, target]): [Trace, Place] => [trace, { target }]),
  )
  return (trace) => byTrace.get(trace) ?? {}
}

/** The test that the options name: one that there is, or one that is written. */
async function testOf(id: string, values: OptionValues, terminal: Terminal): Promise<Place> {
  const said = textOption(values, 'test')
  const written = textOption(values, 'write-test')
  const { cwd } = terminal
  const file = written === undefined ? undefined : resolve(cwd, written)
  if (file !== undefined && existsSync(file))
    throw invalidCommand(
      `${written} exists, and is not changed. Name another file, or the test in it: --test '${pathFrom(cwd, file)} > <title>'`,
    )
  const listed = await listTests(configWords(values), terminal)
  if (!listed)
    throw invalidCommand(
      'Vitest cannot list the tests, so none is known. See why: npx vitest list\n' +
        'Without Vitest, say where the cassette goes: --to <file or folder>',
    )
  const { tests, folders } = listed
  if (folders.all.length === 0)
    throw invalidCommand(
      'No project of Vitest has the plugin, so that no test would find its cassette.\n' +
        'Without Vitest, say where the cassette goes: --to <file or folder>',
    )
  if (file !== undefined) {
    const name = titleIn(said, pathFrom(cwd, file)) ?? `trace ${id.slice(0, 8)}`
    const [test] = knownTests([{ name, file }], folders, terminal)
    if (test) return { target: test, test, isNew: true }
    throw invalidCommand(`${written} is in no project of Vitest that has the plugin.`)
  }
  const known = knownTests(tests, folders, terminal)
  const test = testNamed(known, said!)
  if (test) return { target: test, test }
  const titles = known.map(({ title }) => title)
  const alike = titles.filter((title) => title.includes(said!))
  const meant = (alike.length > 0 ? alike : closestTo(said!, titles)).slice(0, MOST_NAMED)
  const question = meant.length > 0 ? ' Did you mean one of these?' : ''
  throw invalidCommand(
    [
      `--test '${said}' does not name one test.${question}`,
      ...meant.map((title) => `  ${title}`),
      'To write it: --write-test <file>',
    ].join('\n'),
  )
}

/** The titles of a test that is not there yet, without its file. */
function titleIn(said: string | undefined, file: string): string | undefined {
  if (said === undefined) return undefined
  return said.startsWith(`${file} > `) ? said.slice(file.length + 3) : said
}
