import { costText, dollarsText, adviseOnUnknown, type UsageTotal } from '../../conversation/cost.ts'
import type { Completion } from '../../prompt/completion.ts'
import { countOf } from '../../text/count-of.ts'
import { escapeMarkdown } from '../../text/markdown-text.ts'
import { layOutLine } from '../../text/printable.ts'
import type { RehearsedAnswer } from '../page/data/report-data.ts'
import { showJson, showSpelled, showText } from '../page/show-text.ts'
import type { PageRehearsal } from '../page/write-report.ts'
import { usageText } from '../programs/run-estimate.ts'
import type { Terminal } from '../terminal/command.ts'
import { columnsOf, markdownTable, writeTable } from '../terminal/table.ts'
import { describeSince, type HistoryEntry } from './history.ts'
import { type Judged, tally, type Tally, tallyByTest, changesText } from './judge-asking.ts'
import { type LeftOut, placeText } from './questions.ts'

/** The result of a rehearsal, for a terminal, for Markdown and for programs. */
export interface Report {
  /** In sentences. */
  conclusion: string[]
  hasDrifted: boolean
  /** Why it stopped early. */
  stopped: string | undefined
  spent: UsageTotal
  tests: Tally[]
  total: Tally
  judged: Judged[]
  /** Answers that behave differently, and prompts that the provider rejects. */
  others: Judged[]
  leftOut: LeftOut[]
}

/**
 * Makes the report of a rehearsal.
 *
 * @param result its answers: `drifted` are those that count as an alarm, and `once` those whose usage counts in totals,
 *   of questions that are equal and share their calls the first
 * @param before the last rehearsal in the history
 */
export function makeReport(
  result: Pick<Report, 'judged' | 'leftOut' | 'spent' | 'stopped'> &
    Record<'once' | 'drifted', Judged[]>,
  maxCost: number | undefined,
  before: HistoryEntry | undefined,
): Report {
  const { judged, once, drifted, leftOut, spent, stopped } = result
  const others = judged.filter(({ verdict }) => verdict === 'other' || verdict === 'fails')
  const total = tally('all', judged, once)
  const conclusion = [
    describeTotal(total, drifted.length),
    ...(before ? [describeSince(before, drifted)] : []),
    ...describeLacking(judged),
    ...(leftOut.length > 0
      ? [
          `${countOf(leftOut.length, 'recorded prompt')} cannot be asked again, and ${leftOut.length === 1 ? 'is' : 'are'} left out.`,
        ]
      : []),
    `Spent: ${usageText(spent)}.`,
    ...(stopped === undefined ? [] : [describeStop(stopped, once, maxCost)]),
  ]
  return {
    conclusion,
    hasDrifted: drifted.length > 0,
    stopped,
    spent,
    tests: tallyByTest(judged),
    total,
    judged,
    others,
    leftOut,
  }
}

/** What was not asked, as the traces of prompts do not hold it. */
function describeLacking(judged: readonly Judged[]): string[] {
  const lacking = judged.flatMap(({ without = [] }) => without)
  if (lacking.length === 0) return []
  const each = [...Map.groupBy(lacking, (what) => what)].map(
    ([what, all]) => `${what} (${countOf(all.length, 'prompt')})`,
  )
  return [`Not asked, as the trace does not hold it: ${each.join(', ')}.`]
}

function describeTotal({ verdicts, answers }: Tally, drifted: number): string {
  const { same, words, other, fails } = verdicts
  const asked = answers - verdicts['not asked']
  const kinds = [
    `${same} the same`,
    `${words} in other words`,
    `${other} ${other === 1 ? 'behaves' : 'behave'} otherwise`,
    ...(fails > 0 ? [`${fails} ${fails === 1 ? 'fails' : 'fail'}`] : []),
  ]
  const excused = other + fails - drifted
  const stable = excused > 0 ? ` ${excused} of them often enough as recorded.` : ''
  return `${countOf(asked, 'answer')}: ${kinds.join(', ')}.${stable}`
}

function describeStop(why: string, once: readonly Judged[], maxCost: number | undefined): string {
  const notAsked = once.filter(({ verdict }) => verdict === 'not asked').length
  const cap = maxCost === undefined ? '' : ` At most ${dollarsText(maxCost)} may be spent.`
  return (
    `It stopped: ${why}.${cap} ${countOf(notAsked, 'prompt')} ${notAsked === 1 ? 'was' : 'were'} not asked. ` +
    'The paid answers are kept: the same command continues from there.'
  )
}

/** The titles of the columns of {@link usageCells}. */
export const USAGE = ['cost', 'was', 'time', 'was']

/** The usage of answers now, and when they were recorded. */
export function usageCells(...usages: [took: UsageTotal, was: UsageTotal]): string[] {
  return [
    ...usages.map(costText),
    ...usages.map(({ durationMs }) => `${(durationMs / 1_000).toFixed(1)} s`),
  ]
}

const COLUMNS = columnsOf(['test', 'same', 'words', 'other', 'fails', ...USAGE])

function rowOf({ name, verdicts, took, was }: Tally): string[] {
  const { same, words, other, fails } = verdicts
  return [name, ...[same, words, other, fails].map(String), ...usageCells(took, was)]
}

/** A verdict in words: `other, 4 of 5 the same`. */
function verdictText({ verdict, samples, agreed }: Judged): string {
  return samples > 1 ? `${verdict}, ${agreed} of ${samples} the same` : verdict
}

/** The most characters of an answer that are shown. */
const MAX_ANSWER = 400

/** An answer to show beside another: its text and its tool calls. */
function answerText({ text, toolCalls, finishReasons }: Completion): string {
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`)
  const said = [text.trim(), ...calls].filter(Boolean).join(' ')
  const shown = said || `nothing, and ends with ${finishReasons.join(', ') || 'no reason'}`
  return shown.length > MAX_ANSWER ? `${shown.slice(0, MAX_ANSWER)}…` : shown
}

export function printReport(report: Report, width: number, { colors }: Terminal): string {
  const { tests, total, others, leftOut, conclusion, hasDrifted, spent } = report
  const [head, ...rows] = writeTable(
    COLUMNS,
    [...tests, total].map((row) => rowOf({ ...row, name: layOutLine(row.name) })),
    width,
  )
  const paint = hasDrifted ? colors.red : (text: string): string => text
  return [
    ...others.flatMap((one) => [...printOther(one, colors), '']),
    ...leftOut.map((one) => colors.dim(layOutLine(`Left out: ${placeText(one)}: ${one.why}.`))),
    ...(leftOut.length > 0 ? [''] : []),
    colors.bold(head!),
    ...rows.slice(0, -1),
    colors.bold(rows.at(-1)!),
    '',
    ...conclusion.map((line, index) => (index === 0 ? paint(layOutLine(line)) : layOutLine(line))),
    ...adviseOnUnknown(spent).map((line) => colors.dim(line)),
    '',
  ].join('\n')
}

function printOther(one: Judged, colors: Terminal['colors']): string[] {
  const { before, now, differences, why, cassette } = one
  return [
    `${colors.bold(layOutLine(placeText(one)))}: ${colors.red(verdictText(one))}`,
    colors.dim(`  ${layOutLine(cassette)}`),
    ...(why === undefined ? [] : [`  ${layOutLine(why)}`]),
    ...differences.map(({ kind, says }) => `  ${kind.padEnd(9)} ${layOutLine(says)}`),
    ...(now
      ? [
          `  recorded  ${layOutLine(answerText(before))}`,
          `  now       ${layOutLine(answerText(now))}`,
        ]
      : []),
  ]
}

/** The most answers that are shown, as GitHub limits a summary; `--json` has all of them. */
const MAX_SHOWN = 20

const ANSWERS = [{ title: 'recorded' }, { title: 'now' }]

/** A report for a pull request, an issue, or the summary of a job. */
export function renderReportMarkdown(report: Report): string {
  const { conclusion, tests, total, others, leftOut } = report
  const shown = others.slice(0, MAX_SHOWN).flatMap((one) => {
    const answers = one.now && [one.before, one.now].map(answerText)
    return [
      '',
      `#### ${escapeMarkdown(`${placeText(one)}: ${verdictText(one)}`)}`,
      '',
      ...changesText(one).map((says) => `- ${escapeMarkdown(says)}`),
      ...(answers ? ['', ...markdownTable(ANSWERS, [answers])] : []),
    ]
  })
  const more = others.length - MAX_SHOWN
  return [
    '### vitest-cassette rehearse',
    '',
    ...conclusion.map(escapeMarkdown),
    '',
    ...markdownTable(COLUMNS, [...tests, total].map(rowOf)),
    ...shown,
    ...(more > 0 ? ['', `${countOf(more, 'further answer')} not shown.`] : []),
    ...(leftOut.length > 0
      ? [
          '',
          `Left out: ${countOf(leftOut.length, 'recorded prompt')}.`,
          '',
          ...leftOut.map((one) => `- ${escapeMarkdown(`${placeText(one)}: ${one.why}`)}`),
        ]
      : []),
    '',
  ].join('\n')
}

/** The changed answers of a rehearsal, as the page shows them. */
export function rehearsalForPage({ conclusion, judged, others }: Report): PageRehearsal {
  return {
    conclusion: conclusion.map(showText),
    others: others.map(showOnPage),
    words: judged.filter(({ verdict }) => verdict === 'words').map(showOnPage),
  }
}

function showOnPage(one: Judged): RehearsedAnswer {
  const { test, cassette, exchange, differences, why, before, now } = one
  return {
    title: showText(test),
    path: cassette,
    exchange,
    verdict: verdictText(one),
    says: [why ?? [], ...differences.map(({ says }) => says)].flat().map(showText),
    recorded: answerOnPage(before),
    now: now && answerOnPage(now),
  }
}

/** The text, the tool calls and the finish reasons of an answer. */
function answerOnPage({ text, toolCalls, finishReasons }: Completion): string {
  const calls = toolCalls.map(
    ({ name, arguments: given }) => `${showText(name)}(${showJson(given)})`,
  )
  const end = finishReasons.length > 0 ? [`(${showText(finishReasons.join(', '))})`] : []
  return [...(text.trim() === '' ? [] : [showSpelled(text)]), ...calls, ...end].join('\n\n')
}
