import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Cassette } from '../../../cassette/cassette.ts'
import type { RedactRule } from '../../../config/option-values.ts'
import { pathFrom } from '../../../config/paths.ts'
import { closestTo } from '../../../text/closest-names.ts'
import { countOf } from '../../../text/count-of.ts'
import { configWords, listTests } from '../../programs/run-vitest.ts'
import type { Terminal } from '../../terminal/command.ts'
import { invalidCommand, type OptionValues, textOption } from '../../terminal/options.ts'
import type { UnreadFile } from '../files.ts'
import { readRules, whyKept } from '../plan.ts'
import { type KnownTest, knownTests, type Target, targetsIn, testNamed } from '../targets.ts'
import { firstTest } from './first-test.ts'
import { type MadeOfTrace, makeTraceCassette } from './make-trace-cassette.ts'
import { traceOfSpans } from './read-traces.ts'
import type { SpanStore } from './span-store.ts'
import { distinctTraces, summarizeTraces, type TraceSummary, ownText } from './summaries.ts'
import { placeholderOf } from '../../../text/placeholder.ts'
import { CREDENTIAL } from '../without-credentials.ts'
import type { CutText, NotHeld } from './model-call.ts'
import type { PersonalText } from '../../sources/personal.ts'

/** What becomes of traces. */
export interface TracePlan {
  /** Those that say something of their own, in the order of their first calls. */
  traces: PlannedTrace[]
  /** How many traces have no call of a model. */
  withoutCalls: number
  /** Those of which their tracers keep no texts, beside others that have some. */
  withoutTexts: TraceSummary[]
  /** The files that tell nothing to replay. */
  unread: UnreadFile[]
}

/** A test that is written for a trace. */
export interface FirstTestFile {
  /** Relative to the working directory. */
  file: string
  code: string
}

/** A trace and its cassette, of which only what people are told is kept: all cassettes would not fit into memory. */
export interface PlannedTrace extends TraceNotes {
  /** The files that have it, as a person reads them. */
  file: string
  trace: TraceSummary
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

/**
 * Finds the place of the cassette of each trace, and makes them one after the other.
 *
 * @param save takes each cassette that is to be written
 */
export async function planTraces(
  store: SpanStore,
  values: OptionValues,
  terminal: Terminal,
  save: (planned: PlannedTrace, cassette: Cassette) => Promise<void>,
): Promise<TracePlan> {
  const { traces, unread } = summarizeTraces(
    store,
    terminal.progress.over(store.keys(), 'traces read'),
  )
  const chosen = chooseTraces(traces, values)
  const asking = chosen.filter(({ calls, hasTexts }) => calls > 0 && hasTexts)
  const named = distinctTraces(asking).map((one) => ({
    ...one,
    file: filesOf(one.trace),
    name: one.trace.id,
  }))
  const placed = await placesOf(named, values, terminal)
  const cutTexts = values['cut-texts'] === true
  const making = { env: terminal.env, redact: readRules(values), cutTexts, now: new Date() }
  const planned: PlannedTrace[] = []
  for (const { name, ...one } of terminal.progress.over(named, 'cassettes made')) {
    const { target, isNew, test } = placed(one.trace)
    const title = target?.title ?? name
    const { id, spans } = store.read(one.trace.key)
    const trace = traceOfSpans(id, spans)
    const make = (...more: RedactRule[]): MadeOfTrace =>
      makeTraceCassette(trace, title, { ...making, redact: [...making.redact, ...more] })
    const made = make()
    const kept = target && whyKept(made, make, target, values, terminal)
    const { titles = [], file = '' } = test ?? {}
    const plan: PlannedTrace = {
      ...one,
      ...notesOn(made),
      target,
      test: isNew ? undefined : test,
      first:
        test && isNew
          ? { file, code: firstTest(made, { titles, cassette: test.shown }) }
          : undefined,
      kept,
    }
    planned.push(plan)
    if (target && kept === undefined) await save(plan, made.cassette)
  }
  return {
    traces: planned,
    withoutCalls: chosen.filter(({ calls }) => calls === 0).length,
    withoutTexts: chosen.filter(({ calls, hasTexts }) => calls > 0 && !hasTexts),
    unread,
  }
}

function filesOf({ files: [first = '', ...others] }: TraceSummary): string {
  return others.length > 0 ? `${first} and ${countOf(others.length, 'other file')}` : first
}

/** The traces that are meant: all, or the one whose id begins as `--trace` says. */
function chooseTraces(traces: readonly TraceSummary[], values: OptionValues): TraceSummary[] {
  const said = textOption(values, 'trace')
  if (said === undefined) return [...traces]
  const found = traces.filter(({ id }) => id === said)
  const begun = found.length > 0 ? found : traces.filter(({ id }) => id.startsWith(said))
  if (begun.length === 1 && said !== '') return begun
  const isNone = begun.length === 0
  throw invalidCommand(
    [
      isNone
        ? `No trace has an id that begins with ${said}. There ${traces.length === 1 ? 'is' : 'are'}:`
        : `${begun.length} traces have an id that begins with ${said === '' ? 'nothing' : said}:`,
      ...listed(isNone || said === '' ? traces : begun),
    ].join('\n'),
  )
}

const MOST_LISTED = 10

/** A line for each trace: its id, when it was, what was asked first, and how many calls it has. */
function listed(traces: readonly TraceSummary[]): string[] {
  const lines = traces
    .filter(({ calls }) => calls > 0)
    .map(({ id, start, firstWords: words, calls }) => {
      const when = start === '' ? '' : `  ${start.slice(0, 19).replace('T', ' ')}`
      return `  ${id}${when}  ${countOf(calls, 'call')}  ${JSON.stringify(words)}`
    })
  const more = lines.length - MOST_LISTED
  return [...lines.slice(0, MOST_LISTED), ...(more > 0 ? [`  and ${more} more`] : [])]
}

const MOST_NAMED = 5

/** Where a trace goes. */
interface Place {
  target?: Target
  test?: KnownTest
  /** The test is written, too. */
  isNew?: boolean
}

async function placesOf(
  named: ReadonlyArray<{ trace: TraceSummary; file: string; name: string }>,
  values: OptionValues,
  terminal: Terminal,
): Promise<(trace: TraceSummary) => Place> {
  const to = textOption(values, 'to')
  const isForTest = values.test !== undefined || values['write-test'] !== undefined
  if (isForTest && to !== undefined)
    throw invalidCommand('A trace goes to its test, or to a place of --to. Say one of both.')
  if (isForTest && named.length === 0) return () => ({})
  if (isForTest && named.length > 1) {
    const { trace } = named[0]!
    throw invalidCommand(
      [
        `A test has one cassette, and these are ${named.length} traces:`,
        ...listed(named.map((one) => one.trace)),
        `Say which one by the beginning of its id: --trace ${shortId(trace, named)}`,
        'For a cassette of each: --to <folder>',
      ].join('\n'),
    )
  }
  if (isForTest) {
    const place = await testOf(named[0]!.name, values, terminal)
    return () => place
  }
  const targets = to === undefined ? undefined : targetsIn(to, named, terminal)
  const byTrace = new Map(
    Array.from(targets ?? [], ([{ trace }, target]): [TraceSummary, Place] => [trace, { target }]),
  )
  return (trace) => byTrace.get(trace) ?? {}
}

/** The beginning of an id that no other one has. */
function shortId({ id }: TraceSummary, named: ReadonlyArray<{ trace: TraceSummary }>): string {
  const others = named.flatMap(({ trace }) => (trace.id === id ? [] : trace.id))
  let length = Math.min(8, id.length)
  while (length < id.length && others.some((one) => one.startsWith(id.slice(0, length)))) length++
  return id.slice(0, length)
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
/** What a person should know of the cassette of a trace. */
interface TraceNotes {
  credentials: number
  personal: PersonalText[]
  /** At how many of its calls each part is missing. */
  notHeld: Map<NotHeld, number>
  /** How many of its calls have further choices. */
  choices: number
  /** The parameters that are compared only with a request that has them. */
  ifSent: string[]
  /** The texts that were cut, shortened for people. */
  cut: Array<Pick<CutText, 'text' | 'why'>>
}

/** What stands for a credential is told as one. */
const CREDENTIAL_TEXT = placeholderOf(CREDENTIAL)

/** The longest text that is kept to be told. */
const MOST_TEXT = 500

/** What is to be told of a cassette, without what it is made of. */
function notesOn({ calls, credentials, personal }: MadeOfTrace): TraceNotes {
  const parts = calls.flatMap(({ notHeld }) => notHeld)
  return {
    credentials,
    choices: calls.filter(({ answer }) => answer.otherChoices).length,
    ifSent: [...new Set(calls.flatMap((call) => call.ifSent ?? []))],
    personal: personal.map(({ kind, text }) => ({ kind, text: shortened(text) })),
    notHeld: new Map(
      Array.from(
        Map.groupBy(parts, (part) => part),
        ([part, all]) => [part, all.length],
      ),
    ),
    cut: calls.flatMap(({ cut }) =>
      cut
        .filter(({ text }) => text !== CREDENTIAL_TEXT)
        .map(({ text, why }) => ({ text: shortened(text), why })),
    ),
  }
}

function shortened(text: string): string {
  return ownText(text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text)
}
