import { dirname } from 'node:path/posix'
import type { Colors } from 'picocolors/types.js'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import {
  costText,
  countExchange,
  explainUnknown,
  PriceTable,
  sumUsage,
  tokensText,
  type UsageTotal,
} from '../../../conversation/cost.ts'
import type { PassedPictures } from '../../../engine/rare-cases.ts'
import type { Oddity } from '../../../recording/odd-answers.ts'
import { countOf } from '../../../text/count-of.ts'
import { placeholdersIn } from '../../../text/placeholders.ts'
import { printable } from '../../../text/printable.ts'
import { summaryRows } from '../../run-watchers.ts'
import { MANY, sharedCauses } from './same-cause.ts'

const RETRIED = 'not recorded. If a test needs them, set recordErrors: true'

/** What helps in watch mode, which takes no command and no variable. */
const WATCHING =
  'To record, run the command in another terminal. A test runs again when its cassette changes.'

/** The lines of a run, in the manner of Vitest's own summary. */
export function renderSummary(
  tests: readonly CassetteMeta[],
  paint: Colors,
  isWatching = false,
): string {
  const { yellow, dim } = paint
  const [kept, overcome] = [total(tests, 'kept'), total(tests, 'overcome')]
  const respelled = total(tests, 'respelled')
  const prompts = kept === 1 ? 'a changed prompt' : 'changed prompts'
  const asked = tests.filter(hasAsked).length
  const pictures = picturesText(tests.flatMap((test) => test.pictures ?? []))
  const lines: Array<[label: string, ...rows: Array<string | false>]> = [
    ['Cassettes', `${asked} ${asked === 1 ? 'test' : 'tests'}`],
    ['Exchanges', exchangesIn(tests, paint).join(dim(' | ')) || 'none'],
    ...changesIn(tests).map((text): [string, string] => ['Changed', paint.red(text)]),
    ['Watching', isWatching && total(tests, 'misses') > 0 && WATCHING],
    ['Kept', kept > 0 && yellow(`${countOf(kept, 'answer')} kept for ${prompts}`)],
    ['Spelling', respelled > 0 && `${countOf(respelled, 'request')} stored as sent today`],
    ['Dates', ...tellVarying(tests, 'date-phrase', paint)],
    ['Folders', ...tellVarying(tests, 'tmp-path', paint)],
    ['Keys', ...tellRefused(tests, paint)],
    ['Raw bytes', ...tellRaw(tests, paint)],
    ['Look at', ...tellOdd(tests, paint)],
    ['Parked', ...tellParked(tests, paint)],
    ['Retried', overcome > 0 && `${countOf(overcome, 'error')}, ${RETRIED}`],
    ['Pictures', pictures !== '' && yellow(pictures)],
    ['Volatile', ...tellForgiven(tests, paint)],
    ['Redacted', ...tellRedacted(tests, paint)],
    ['Handed over', ...describeHandOvers(tests, paint)],
    ['Saved', ...describeSaved(tests, paint)],
    ['Invalid', ...describeInvalid(tests, paint)],
  ]
  return lines.map(([label, ...rows]) => summaryRows(label, rows, paint)).join('')
}

/** An application that swallows the error of its client does not tell. */
function tellRefused(tests: readonly CassetteMeta[], { yellow }: Colors): string[] {
  const refused = Map.groupBy(
    tests.flatMap((test) => test.refused ?? []),
    (key) => key,
  )
  return Array.from(refused, ([key, all]) =>
    yellow(
      `the provider refused ${printable(key)} in ${countOf(all.length, 'test')}; their cassettes are as they were`,
    ),
  )
}

/** What was stored could not be read back: each exchange is named, since nobody else would see it. */
function tellRaw(tests: readonly CassetteMeta[], { yellow, dim }: Colors): string[] {
  return tests.flatMap(({ raw = '' }) => {
    const [test = '', told, ...lines] = printable(raw).split('\n')
    return told === undefined ? [] : [yellow(told), dim(test), ...lines]
  })
}

/** The answers of a test that failed are paid for, and in no cassette. */
function tellParked(tests: readonly CassetteMeta[], { yellow, bold }: Colors): string[] {
  const parked = tests.filter((test) => test.parked)
  if (parked.length === 0) return []
  const whose = countOf(parked.length, 'failed test')
  return [
    yellow(`the answers of ${whose} are kept, and in no cassette`),
    `To use them anyway: ${bold('npx vitest-cassette recover')}`,
  ]
}

/** What each kind of an odd answer is called: of one, and of several. */
const ODD: Record<Oddity['kind'], [one: string, several: string]> = {
  error: ['recorded answer is an error', 'recorded answers are errors'],
  broken: ['recorded answer stops before its end', 'recorded answers stop before their end'],
  foreign: ['recorded answer is none of a model', 'recorded answers are none of a model'],
}

/** Nothing fails for what is recorded for the first time: a test can be about it. */
function tellOdd(tests: readonly CassetteMeta[], { yellow, dim }: Colors): string[] {
  const odd = tests.flatMap((test) => test.odd ?? [])
  const alike = Map.groupBy(odd, ({ kind, what }) => `${kind} ${what}`)
  return [...alike.values()].flatMap((all) => {
    const { kind, what } = all[0]!
    const names = [...new Set(all.map(({ test }) => test))]
    const left = names.length - MANY
    return [
      yellow(`${countOf(all.length, ...ODD[kind])}${what === '' ? '' : `: ${printable(what)}`}`),
      ...names.slice(0, MANY).map((name) => dim(printable(name))),
      ...(left > 0 ? [dim(`and ${countOf(left, 'more test')}`)] : []),
    ]
  })
}

/** What is said of prompts with a value that varies, by the rule that declares it. */
const VARYING = {
  'date-phrase': {
    what: 'the date of today',
    when: 'tomorrow',
    otherwise: 'let the test stop the clock',
  },
  'tmp-path': {
    what: 'the random name of a temporary folder',
    when: 'in the next run',
    otherwise: 'let the test use a folder of a fixed name',
  },
} as const

/** Warns of prompts that were recorded with a value that the next run does not have. */
function tellVarying(
  tests: readonly CassetteMeta[],
  rule: keyof typeof VARYING,
  { yellow }: Colors,
): string[] {
  const all = tests.flatMap(({ varying = [] }) => varying.filter((one) => one.rule === rule))
  const [first] = all
  if (!first) return []
  const { what, when, otherwise } = VARYING[rule]
  const [hold, miss] = all.length === 1 ? ['holds', 'it misses'] : ['hold', 'they miss']
  return [
    yellow(
      `${countOf(all.length, 'prompt')} ${hold} ${what} (${printable(first.text)}): ${when} ${miss}.`,
    ),
    `Declare volatile: ['${rule}'], or ${otherwise}.`,
  ]
}

type Figure = 'replayed' | 'recorded' | 'misses' | 'unused' | 'kept' | 'overcome' | 'respelled'

function total(tests: readonly CassetteMeta[], figure: Figure): number {
  return tests.reduce((sum, test) => sum + (test[figure] ?? 0), 0)
}

function hasAsked({ replayed, recorded, misses, spoken }: CassetteMeta): boolean {
  return replayed + recorded + misses > 0 || spoken !== undefined
}

type Counted = [count: number, what: string, color: (text: string) => string]

function exchangesIn(tests: readonly CassetteMeta[], { green, yellow, red }: Colors): string[] {
  const counts: Counted[] = [
    [total(tests, 'replayed'), 'replayed', green],
    [total(tests, 'recorded'), 'recorded', yellow],
    ...spokenIn(tests).map(([name, count]): Counted => [count, `by ${printable(name)}`, yellow]),
    [total(tests, 'misses'), 'missed', red],
    [total(tests, 'unused'), 'unused', red],
  ]
  return counts.flatMap(([count, what, color]) => (count > 0 ? color(`${count} ${what}`) : []))
}

function changesIn(tests: readonly CassetteMeta[]): string[] {
  const changes = sharedCauses(tests).filter(({ failure }) => failure.cause?.group === 'changed')
  return changes.map(({ failure, tests: ours }) => {
    const files = new Set(ours.map(({ cassette }) => dirname(cassette))).size
    const what = failure.headline.replace(/^The (?:prompt|call of an MCP server) changed: /, '')
    return `${what}, in ${countOf(ours.length, 'cassette')} of ${countOf(files, 'file')}`
  })
}

function describeHandOvers(tests: readonly CassetteMeta[], paint: Colors): string[] {
  const handOvers = tests.flatMap((test) => test.handOvers)
  if (handOvers.length === 0) return []
  // If the same happened to many, one line has their number.
  const lines = [...Map.groupBy(handOvers, ({ what }) => what)].flatMap(([what, alike]) =>
    alike.length < MANY
      ? alike.map(({ test }) => `${test}: ${what}`)
      : `${countOf(alike.length, 'test')}: ${what}`,
  )
  const dim = lines.map((line) => paint.dim(printable(line)))
  return [paint.yellow(countOf(handOvers.length, 'conversation')), ...dim]
}

function describeSaved(tests: readonly CassetteMeta[], paint: Colors): string[] {
  if (total(tests, 'replayed') === 0) return []
  const saved = sumUsage(
    tests.flatMap((test) => {
      const prices = new PriceTable(test.prices)
      return test.saved.map((figures) => countExchange(figures, prices))
    }),
  )
  // `show --stats` says what to do about it; a run does not.
  return [savedText(saved), ...explainUnknown(saved).map((line) => paint.dim(printable(line)))]
}

/** The pictures that differ from the recording and passed all the same. */
function picturesText(passed: readonly PassedPictures[]): string {
  const sum = (figure: 'alike' | 'ignored'): number =>
    passed.reduce((all, one) => all + one[figure], 0)
  const [alike, ignored] = [sum('alike'), sum('ignored')]
  const farthest = Math.max(0, ...passed.map((one) => one.farthest))
  return [
    alike > 0 && `${alike} alike, ${farthest} of 64 bits apart at most`,
    ignored > 0 && `${ignored} changed, and ignored`,
  ]
    .filter(Boolean)
    .join(' | ')
}

/** The volatile rules that let requests match, and the places of the values that differ. */
function tellForgiven(tests: readonly CassetteMeta[], { yellow, dim }: Colors): string[] {
  return placesByRule(tests, (rule) => placeholdersIn(rule).length === 0).map(
    ({ rule, requests, where }) =>
      yellow(printable(`${rule} matched other values in ${requests}`)) + dim(printable(where)),
  )
}

/** The redaction rules without a check: of their values, only which of them are equal is compared. */
function tellRedacted(tests: readonly CassetteMeta[], { dim }: Colors): string[] {
  return placesByRule(tests, (rule) => placeholdersIn(rule).length > 0).map(
    ({ rule, requests, where }) =>
      printable(`${placeholdersIn(rule)[0]!.name} matched any values in ${requests}`) +
      dim(printable(where)),
  )
}

/** What was forgiven by some rules: in how many requests, and where. */
function placesByRule(
  tests: readonly CassetteMeta[],
  isOne: (rule: string) => boolean,
): Array<{ rule: string; requests: string; where: string }> {
  const forgiven = tests.flatMap((meta) => (meta.forgiven ?? []).map((one) => ({ ...one, meta })))
  return Array.from(
    Map.groupBy(
      forgiven.filter(({ rule }) => isOne(rule)),
      ({ rule }) => rule,
    ),
    ([rule, ours]) => {
      const requests = ours.reduce((sum, one) => sum + one.requests, 0)
      const whose = countOf(new Set(ours.map(({ meta }) => meta)).size, 'test')
      const places = [...new Set(ours.flatMap((one) => one.places))]
      const left = places.length - MANY
      const where = places.slice(0, MANY).join(', ') + (left > 0 ? ` and ${left} more` : '')
      return {
        rule,
        requests: `${countOf(requests, 'request')} of ${whose}`,
        where: `, at ${where}`,
      }
    },
  )
}

/** How many steps each speaker answered. */
function spokenIn(tests: readonly CassetteMeta[]): Array<[name: string, count: number]> {
  const all = tests.flatMap(({ spoken = {} }) => Object.entries(spoken))
  const byName = Map.groupBy(all, ([name]) => name)
  return Array.from(byName, ([name, ours]) => [name, ours.reduce((sum, [, one]) => sum + one, 0)])
}

function savedText(saved: UsageTotal): string {
  const calls = countOf(saved.exchanges, 'call')
  const cost = costText(saved)
  const money = cost === 'unknown' ? 'an unknown cost' : cost
  const seconds = (saved.durationMs / 1_000).toFixed(saved.durationMs < 10_000 ? 1 : 0)
  return `${calls}, ${tokensText(saved)}, ${money}, ${seconds} s of waiting`
}

/** The lines of a run on cassettes that are no longer valid: each reason once, with its cassettes. */
function describeInvalid(tests: readonly CassetteMeta[], paint: Colors): string[] {
  const invalid = new Map(
    tests.filter(({ invalid }) => invalid.length > 0).map((test) => [test.cassette, test.invalid]),
  )
  if (invalid.size === 0) return []
  const isRetired = [...invalid.values()].flat().some((reason) => reason.startsWith('models: '))
  const byReason = Map.groupBy(invalid, ([, reasons]) =>
    reasons.map((reason) => printable(reason).replaceAll('\n', ' ')).join('\n'),
  )
  const count = invalid.size === 1 ? '1 cassette is' : `${invalid.size} cassettes are`
  return [
    paint.yellow(`${count} no longer valid`),
    ...Array.from(byReason, ([reasons, cassettes]) => [
      ...reasons.split('\n').map((reason) => paint.dim(reason)),
      ...cassettes.map(([cassette]) => `  ${printable(cassette)}`),
    ]).flat(),
    `To record invalid cassettes again: ${paint.bold('npx vitest-cassette record --new')}`,
    ...(isRetired ? ['First ask other models in your code than those that are retired.'] : []),
  ]
}

/** A test, or a file outside of its tests, in one of the projects of a run. */
interface InProject {
  project: string
  meta: CassetteMeta
}

/**
 * Names the cassettes that several projects, or several instances of a browser, recorded with different prompts: the
 * last one replaced the others. `undefined` where there are none.
 */
export function renderOverwritten(recorded: readonly InProject[]): string | undefined {
  const shared = Map.groupBy(
    recorded.filter(({ meta }) => meta.prompts !== undefined),
    ({ meta }) => meta.cassette,
  )
  const lost = [...shared].filter(
    ([, all]) => new Set(all.map(({ meta }) => meta.prompts)).size > 1,
  )
  if (lost.length === 0) return undefined
  const names = new Set(lost.flatMap(([, all]) => all.map(({ project }) => project)))
  const projects = [...names].map((name) => `'${name}'`).join(' and ')
  return [
    `${countOf(lost.length, 'cassette')} recorded by ${projects} with different prompts. Only the last recording of each is left:`,
    ...lost.map(([cassette]) => `  ${cassette}`),
    "Give each project a folder of its own, cassettes({ dir: '__recordings__/<project>' }), and record again.",
  ].join('\n')
}
