import { quoteWord } from '../../text/command-line.ts'
import { unlessEmpty } from '../../providers/fields.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine, printable } from '../../text/printable.ts'
import { configWords, nameConfig } from '../programs/run-vitest.ts'
import { tableWidthOf, type Terminal } from '../terminal/command.ts'
import type { OptionValues } from '../terminal/options.ts'
import { type ColumnOf, shorten, tableOf } from '../terminal/table.ts'
import type { UnreadFile } from './files.ts'
import type { KnownRecording } from './known-recording.ts'
import type { CassetteFacts } from './make-cassette.ts'
import type { Plan, PlannedCassette, PlannedRecording } from './plan.ts'
import type { KnownTest } from './targets.ts'
import { summarize, type TestVerdict, writeVerdict } from './verdict.ts'

/** @param width of the table; what becomes of a recording gets at most half of it, and leaves the rest to its name */
function columnsFor(
  width: number,
  rows: readonly PlannedRecording[],
): Array<ColumnOf<PlannedRecording>> {
  return [
    { title: 'recording', text: ({ recording }) => nameOf(recording) },
    { title: 'calls', align: 'right', text: (row) => String(callsOf(row)) },
    { title: 'becomes', text: (row) => shorten(outcomeOf(row, rows), Math.floor(width / 2)) },
  ]
}

function callsOf({ parts }: Pick<PlannedRecording, 'parts'>): number {
  return parts.reduce((sum, { calls }) => sum + calls.length, 0)
}

function nameOf({ file, name }: KnownRecording): string {
  return name === undefined ? file : `${file} (${[name].flat().join(' > ')})`
}

function outcomeOf(row: PlannedRecording, rows: readonly PlannedRecording[]): string {
  const { target, candidates } = row
  if (target) return target.title === target.shown ? target.shown : `${target.title}`
  if (candidates.length === 0) return 'nothing: no test has this name'
  const [first] = candidates as [KnownTest]
  const others = candidates.length - 1
  if (others > 0) return `nothing: could be ${first.title}, or ${countOf(others, 'other')}`
  const isNamedTwice = rows.some(
    (other) => other !== row && (other.target === first || other.candidates.includes(first)),
  )
  return isNamedTwice
    ? `nothing: another recording names ${first.title} too`
    : `nothing: could be ${first.title}`
}

/** Tells people what becomes of recordings, and what their tests do with them. */
export function tell(
  plan: Plan,
  unread: readonly UnreadFile[],
  verdicts: readonly TestVerdict[],
  values: OptionValues,
  terminal: Terminal,
): void {
  const { rows, cassettes } = plan
  const { write } = terminal
  const width = tableWidthOf(terminal, values)
  if (rows.length > 0) write(`${tableOf(columnsFor(width, rows), rows, width).join('\n')}\n\n`)
  tellUnread(unread, rows.length > 0, terminal)
  for (const note of notesOn(plan)) write(`${printable(note)}\n`)
  for (const line of adviceOn(plan, values, terminal)) write(`${line}\n`)
  tellKept(cassettes, terminal)
  if (rows.length === 0) return
  const open = cassettes.filter(({ kept }) => kept === undefined)
  if (values.write !== true) {
    const calls = sumOf(open, 'exchanges')
    write(
      `${countOf(open.length, 'cassette')} with ${countOf(calls, 'exchange')}. Nothing was written; to write, and to replay the tests offline: --write\n`,
    )
    return
  }
  write(`Wrote ${countOf(open.length, 'cassette')}.\n`)
  const programs = open.filter(({ test }) => !test).length
  if (programs > 0)
    write(
      `${countOf(programs, 'cassette')} of no test of Vitest: openCassette() opens ${programs === 1 ? 'it' : 'them'}, in a program or another test runner.\n`,
    )
  if (verdicts.length > 0) {
    write('\n')
    writeVerdict(verdicts, terminal)
  }
}

/** Tells what is not written, of all that has a place. */
export function tellKept(
  cassettes: ReadonlyArray<Partial<Pick<PlannedCassette, 'target' | 'kept'>>>,
  { warn, colors }: Terminal,
): void {
  for (const { target, kept } of cassettes)
    if (target && kept !== undefined)
      warn(colors.yellow(printable(`Not written: ${target.shown}: ${kept}`)))
}

/** Tells what could not be read; of a folder in which something was, other files are only counted. */
export function tellUnread(
  unread: readonly UnreadFile[],
  isAnyRead: boolean,
  { write, warn, colors }: Terminal,
): void {
  const isFormat = ({ nearest, isBroken }: UnreadFile): boolean =>
    nearest !== undefined || isBroken === true
  for (const { file, reason, nearest } of unread.filter((one) => isFormat(one) || !isAnyRead)) {
    const what = nearest === undefined ? '' : ` (nearest: ${nearest})`
    warn(colors.yellow(printable(`Not read: ${layOutLine(file)}${what}: ${reason}`)))
  }
  const others = isAnyRead ? unread.filter((one) => !isFormat(one)).length : 0
  if (others > 0) write(`Not read: ${countOf(others, 'other file')}, without a recording in it\n`)
}

/** How recordings without a test come to one. */
function adviceOn({ rows, tests }: Plan, values: OptionValues, { cwd }: Terminal): string[] {
  const [first, ...others] = rows.filter(({ target }) => !target)
  if (!first) return []
  const place = 'where the cassettes go: --to <folder>'
  if (tests === 'failed')
    return [
      'Vitest cannot list the tests, so none is known. See why: npx vitest list',
      `For recordings that are those of no test, say ${place}`,
    ]
  if (tests === 0)
    return [
      `No test is known. Is the plugin in ${nameConfig(cwd, configWords(values))}? See: npx vitest list`,
      `Without Vitest, say ${place}`,
    ]
  const choices = choicesOf(rows)
  const example = choices.length > 0 ? '' : ` --map '${layOutLine(first.recording.file)}=<test>',`
  return [
    `${countOf(others.length + 1, 'recording')} ${others.length === 0 ? 'has' : 'have'} no test. ` +
      `Say which:${example || ' --map, with one line of each group below,'} or ${place}`,
    ...choices,
  ]
}

/** The most tests that a person chooses from at once. */
const MOST_CHOICES = 8

/** For each recording that could be that of several tests, the words of each choice. */
function choicesOf(rows: readonly PlannedRecording[]): string[] {
  return rows.flatMap(({ recording, target, candidates }) => {
    if (target || candidates.length === 0) return []
    const { file, name } = recording
    const isAlone = rows.filter((row) => row.recording.file === file).length === 1
    const said = isAlone || name === undefined ? file : [name].flat().join(' > ')
    const lines = candidates
      .slice(0, MOST_CHOICES)
      .map(({ title }) => `  --map ${quoteWord(layOutLine(`${said}=${title}`))}`)
    const left = candidates.length - lines.length
    return ['', ...lines, ...(left > 0 ? [`  … ${countOf(left, 'other test')}`] : [])]
  })
}

/** What a person should know of the cassettes. */
function notesOn({ recordings, cassettes }: Plan): string[] {
  const leftOut = leftOutOf(recordings)
  const unasked = sumOf(cassettes, 'unasked')
  const withoutHeaders = sumOf(cassettes, 'withoutHeaders')
  const placeless = sumOf(cassettes, 'placeless')
  const calls = recordings.flatMap((recording) => recording.calls)
  const respelled = calls.filter((one) => one.isRespelled).length
  const redacted = new Set(calls.flatMap((one) => one.redacted))
  const credentials = sumOf(cassettes, 'credentials')
  const hosts = hostsOf(cassettes)
  return chosenNotes([
    [
      leftOut.size,
      `Left out: ${Array.from(leftOut, ([what, count]) => `${what} (${count})`).join(', ')}`,
    ],
    [
      unasked,
      `The prompt of ${countOf(unasked, 'exchange')} is unknown: the first run with RECORD=prompts takes the prompts over, and sends nothing.`,
    ],
    [
      withoutHeaders,
      `The headers of ${countOf(withoutHeaders, 'request')} are unknown, and do not count.`,
    ],
    [placeless, `The host of ${countOf(placeless, 'request')} is unknown, and does not count.`],
    [
      respelled,
      `The old tool has parsed ${countOf(respelled, 'body', 'bodies')} and written ${respelled === 1 ? 'it' : 'them'} anew: the order of keys does not count there.`,
    ],
    [
      redacted.size,
      `Redacted by the old tool, so that each stands for any text: ${[...redacted].join(', ')}`,
    ],
    [
      credentials,
      `Replaced what is or looks like a credential, at ${countOf(credentials, 'place')}. If one is real, revoke it: the old tool has left it in its files.`,
    ],
    [
      hosts.length,
      `Some calls are no LLM calls. To replay them too: cassettes({ hosts: [${hosts.map((host) => `'${host}'`).join(', ')}] }); to leave them out: --only-llm`,
    ],
  ])
}

/** The notes on what there is. */
export function chosenNotes(notes: ReadonlyArray<[count: number, note: string]>): string[] {
  return notes.flatMap(([count, note]) => (count > 0 ? note : []))
}

/** The hosts for which the option `hosts` is needed. */
function hostsOf(cassettes: readonly PlannedCassette[]): string[] {
  const judged = cassettes.flatMap(({ recordings }) =>
    recordings.flatMap(({ calls }) => calls.map(({ kind }) => kind)),
  )
  return [...new Set(judged.flatMap((one) => (one.kind === 'other' ? one.host : [])))].sort()
}

/** What was left out of all of them, and how often. */
function leftOutOf(recordings: readonly KnownRecording[]): Map<string, number> {
  return sumsOf(recordings.map(({ leftOut }) => leftOut))
}

/** The sums of counts, each by what is counted. */
export function sumsOf<What>(counts: ReadonlyArray<ReadonlyMap<What, number>>): Map<What, number> {
  const sums = new Map<What, number>()
  for (const [what, count] of counts.flatMap((one) => [...one]))
    sums.set(what, (sums.get(what) ?? 0) + count)
  return sums
}

function sumOf(cassettes: readonly PlannedCassette[], fact: keyof CassetteFacts): number {
  return cassettes.reduce((sum, { facts }) => sum + facts[fact], 0)
}

export function planAsData(
  { rows, cassettes }: Plan,
  unread: readonly UnreadFile[],
  verdicts: readonly TestVerdict[],
) {
  return {
    recordings: rows.map(({ recording, parts, target, candidates }) => ({
      file: recording.file,
      format: recording.format,
      name: recording.name,
      exchanges: callsOf({ parts }),
      leftOut: Object.fromEntries(leftOutOf(parts)),
      cassette: target?.shown,
      test: target?.title,
      candidates: unlessEmpty(candidates.map(({ title }) => title)),
    })),
    cassettes: cassettes.map(({ target, facts, kept }) => ({
      cassette: target.shown,
      test: target.title,
      exchanges: facts.exchanges,
      answered: facts.answered,
      unasked: facts.unasked,
      credentials: facts.credentials,
      notWritten: kept,
    })),
    hosts: hostsOf(cassettes),
    unread,
    ...(verdicts.length > 0 ? { summary: summarize(verdicts), verdicts } : {}),
  }
}
