import { costText, dollarsText, explainUnknown, type UsageTotal } from '../../conversation/cost.ts'
import type { Completion } from '../../prompt/completion.ts'
import { countOf } from '../../text/count-of.ts'
import { escapeMarkdown } from '../../text/markdown-text.ts'
import { layOutLine } from '../../text/printable.ts'
import type { RehearsedAnswer } from '../page/data/report-data.ts'
import { showJson, showSpelled, showText } from '../page/show-text.ts'
import type { PageRehearsal } from '../page/write-report.ts'
import { usageText } from '../programs/outlook.ts'
import type { Terminal } from '../terminal/command.ts'
import { columnsOf, writeTable } from '../terminal/table.ts'
import { describeSince, type HistoryEntry } from './history.ts'
import { hasDrifted, type Judged, tally, type Tally, tallyByTest } from './judge-asking.ts'
import type { LeftOut } from './questions.ts'

/** The result of a rehearsal, for a terminal, for Markdown and for programs. */
export interface Report {
  /** In sentences. */
  conclusion: string[]
  hasDrifted: boolean
  /** Why it stopped early. */
  stopped?: string
  spent: UsageTotal
  tests: Tally[]
  total: Tally
  judged: Judged[]
  /** Answers that behave differently, and prompts that the provider rejects. */
  others: Judged[]
  leftOut: LeftOut[]
}

export interface RehearsalInput {
  judged: Judged[]
  /** Those whose usage counts in totals: of the questions that are equal, and share their calls, the first. */
  once: Judged[]
  leftOut: LeftOut[]
  spent: UsageTotal
  stopped?: string
  maxCost?: number
  /** How many samples of a question have to behave as recorded. */
  agree?: number
  /** The last rehearsal in the history. */
  before?: HistoryEntry
}

/** Makes the report of a rehearsal. */
export function makeReport(input: RehearsalInput): Report {
  const { judged, once, leftOut, spent, stopped, agree, before } = input
  const others = judged.filter(({ verdict }) => verdict === 'other' || verdict === 'fails')
  const drifted = judged.filter((one) => hasDrifted(one, agree))
  const total = tally('all', judged, once)
  const conclusion = [
    describeTotal(total, drifted.length),
    ...(before ? [describeSince(before, drifted)] : []),
    ...(leftOut.length > 0
      ? [
          `${countOf(leftOut.length, 'recorded prompt')} cannot be asked again, and ${leftOut.length === 1 ? 'is' : 'are'} left out.`,
        ]
      : []),
    `Spent: ${usageText(spent)}.`,
    ...(stopped === undefined ? [] : [describeStop(stopped, once, input.maxCost)]),
  ]
  return {
    conclusion,
    hasDrifted: drifted.length > 0,
    ...(stopped === undefined ? {} : { stopped }),
    spent,
    tests: tallyByTest(judged),
    total,
    judged,
    others,
    leftOut,
  }
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

/** Seconds, with a decimal. */
export function secondsText({ durationMs }: UsageTotal): string {
  return `${(durationMs / 1_000).toFixed(1)} s`
}

/** The heads of the columns of figures. */
export const FIGURES = ['same', 'words', 'other', 'fails', 'cost', 'was', 'time', 'was']

/** The figures of a row, in the order of {@link FIGURES}. */
export function tallyFigures({ verdicts, took, was }: Tally): string[] {
  const { same, words, other, fails } = verdicts
  return [
    String(same),
    String(words),
    String(other),
    String(fails),
    costText(took),
    costText(was),
    secondsText(took),
    secondsText(was),
  ]
}

/** A verdict in words: `other, 4 of 5 the same`. */
export function verdictText({ verdict, samples, agreed }: Judged): string {
  return samples > 1 ? `${verdict}, ${agreed} of ${samples} the same` : verdict
}

/** The most characters of an answer that are shown. */
const MAX_ANSWER = 400

/** An answer to show beside another: its text and its tool calls. */
export function answerText({ text, toolCalls, finishReasons }: Completion): string {
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`)
  const said = [text.trim(), ...calls].filter(Boolean).join(' ')
  const shown = said || `nothing, and ends with ${finishReasons.join(', ') || 'no reason'}`
  return shown.length > MAX_ANSWER ? `${shown.slice(0, MAX_ANSWER)}…` : shown
}

const COLUMNS = columnsOf(['test', ...FIGURES])

/** A report for a terminal. */
export function printReport(report: Report, width: number, { colors }: Terminal): string {
  const { tests, total, others, leftOut, conclusion, hasDrifted, spent } = report
  const [head, ...rows] = writeTable(
    COLUMNS,
    [...tests, total].map((row) => [layOutLine(row.name), ...tallyFigures(row)]),
    width,
  )
  const paint = hasDrifted ? colors.red : (text: string): string => text
  return [
    ...others.flatMap((one) => [...printOther(one, colors), '']),
    ...leftOut.map(({ test, exchange, why }) =>
      colors.dim(`Left out: ${layOutLine(test)}, ${exchange}: ${layOutLine(why)}.`),
    ),
    ...(leftOut.length > 0 ? [''] : []),
    colors.bold(head!),
    ...rows.slice(0, -1),
    colors.bold(rows.at(-1)!),
    '',
    ...conclusion.map((line, index) => (index === 0 ? paint(layOutLine(line)) : layOutLine(line))),
    ...explainUnknown(spent).map((line) => colors.dim(line)),
    '',
  ].join('\n')
}

function printOther(one: Judged, colors: Terminal['colors']): string[] {
  const { test, exchange, before, now, differences, why, cassette } = one
  return [
    `${colors.bold(layOutLine(`${test}, ${exchange}`))}: ${colors.red(verdictText(one))}`,
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

/** A report for a pull request, an issue, or the summary of a job. */
export function renderReportMarkdown(report: Report): string {
  const { conclusion, tests, total, others, leftOut } = report
  const rows = [...tests, total].map(
    (row) => `| ${[escapeMarkdown(row.name), ...tallyFigures(row)].join(' | ')} |`,
  )
  const shown = others.slice(0, MAX_SHOWN).flatMap((one) => {
    const changes = one.why === undefined ? one.differences.map(({ says }) => says) : [one.why]
    return [
      '',
      `#### ${escapeMarkdown(`${one.test}, ${one.exchange}: ${verdictText(one)}`)}`,
      '',
      ...changes.map((says) => `- ${escapeMarkdown(says)}`),
      ...(one.now
        ? [
            '',
            '| recorded | now |',
            '|---|---|',
            `| ${escapeMarkdown(answerText(one.before))} | ${escapeMarkdown(answerText(one.now))} |`,
          ]
        : []),
    ]
  })
  const more = others.length - MAX_SHOWN
  return [
    '### vitest-cassette rehearse',
    '',
    ...conclusion.map(escapeMarkdown),
    '',
    `| test | ${FIGURES.join(' | ')} |`,
    `|---|${'--:|'.repeat(FIGURES.length)}`,
    ...rows,
    ...shown,
    ...(more > 0 ? ['', `${countOf(more, 'further answer')} not shown.`] : []),
    ...(leftOut.length > 0
      ? [
          '',
          `Left out: ${countOf(leftOut.length, 'recorded prompt')}.`,
          '',
          ...leftOut.map(
            ({ test, exchange, why }) => `- ${escapeMarkdown(`${test}, ${exchange}: ${why}`)}`,
          ),
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
    says: [...(why === undefined ? [] : [why]), ...differences.map(({ says }) => says)].map(
      showText,
    ),
    recorded: answerOnPage(before),
    ...(now ? { now: answerOnPage(now) } : {}),
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
