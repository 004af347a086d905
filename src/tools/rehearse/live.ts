import { readLines, type RunLine, writePlan } from '../../attempt/run-channel.ts'
import { answerLines, sumUp } from '../../attempt/spending.ts'
import { startedBy } from '../../config/environment.ts'
import { dollarsText, sumUsage, type UsageTotal } from '../../conversation/cost.ts'
import { unlessEmpty } from '../../providers/fields.ts'
import { countOf } from '../../text/count-of.ts'
import { escapeMarkdown } from '../../text/markdown-text.ts'
import { layOutLine } from '../../text/printable.ts'
import { describeProgress, type RunEstimate, usageText } from '../programs/run-estimate.ts'
import { RunFolders } from '../programs/run-folders.ts'
import { COST_UNKNOWN, listTests, refuseWords, showVitest } from '../programs/run-vitest.ts'
import { TempFolder } from '../programs/temp-folder.ts'
import { type ExitCode, tableWidthOf, type Terminal } from '../terminal/command.ts'
import { addToSummary } from '../terminal/github.ts'
import type { OptionValues } from '../terminal/options.ts'
import { columnsOf, markdownTable, writeTable } from '../terminal/table.ts'
import { printableJson } from '../terminal/write-json.ts'
import type { RehearseWords } from './rehearse.ts'
import { usageCells, USAGE } from './report.ts'

const COLUMNS = columnsOf(['test', 'passes', 'calls', ...USAGE])

/**
 * Runs the tests themselves live, with another model if the options name one. Passing tests prove what no comparison
 * of answers can. Writes no cassettes, unless `accepts` is set: then the tests that pass are recorded.
 */
export async function rehearseLive(
  filters: readonly string[],
  words: RehearseWords,
  accepts: boolean,
  values: OptionValues,
  terminal: Terminal,
): Promise<ExitCode> {
  const { models, maxCost } = words
  using folder = new TempFolder()
  const run = folder.path
  refuseWords(terminal.cwd, filters, [])
  const estimate = await lookOut(filters, terminal)
  const cap = maxCost === undefined ? '' : ` At most ${dollarsText(maxCost)} is spent.`
  terminal.warn(`${describe(estimate)}${cap}`)
  writePlan(run, {
    models: unlessEmpty(Object.fromEntries(models)),
    maxCost,
    discards: !accepts || undefined,
  })
  // The user named this run, so it records on CI too. The output of Vitest goes to standard error.
  const env = { RECORD: '1', RECORD_IN_CI: '1', ...startedBy('record', run) }
  const quiet = { ...terminal, write: (text: string) => terminal.warn(text.trimEnd()) }
  const code = await terminal.progress.during(showVitest(quiet, filters, env), () =>
    describeProgress(sumUp(readLines(run)), estimate),
  )
  const lines = readLines(run)
  const tests = liveTests(lines, new RunFolders(lines, terminal.cwd))
  printLiveTests(tests, lines, accepts, words, values, terminal)
  return code === 0 && sumUp(lines).refused === 0 ? 0 : 1
}

/** The usage of the tests when they were recorded, found without a request to a provider. */
async function lookOut(
  filters: readonly string[],
  terminal: Terminal,
): Promise<RunEstimate | undefined> {
  const listed = await listTests(filters, terminal)
  if (!listed) return undefined
  const { tests, folders } = listed
  return folders.estimate(folders.cassettesOf(tests), tests.length)
}

function describe(estimate: RunEstimate | undefined): string {
  if (!estimate) return COST_UNKNOWN
  const { tests, took } = estimate
  return `Runs ${countOf(tests, 'test')} live. By last time's figures: ${usageText(took)}.`
}

function printLiveTests(
  tests: LiveTest[],
  lines: readonly RunLine[],
  accepts: boolean,
  { models }: RehearseWords,
  values: OptionValues,
  terminal: Terminal,
): void {
  const { refused, took: spent } = sumUp(lines)
  const passed = tests.filter((test) => test.passed).length
  const conclusion = [
    `${passed} of ${countOf(tests.length, 'test')} that asked a model ${passed === 1 ? 'passes' : 'pass'}.`,
    `Spent: ${usageText(spent)}.`,
    ...(refused > 0
      ? [
          `${countOf(refused, 'call')} ${refused === 1 ? 'was' : 'were'} not sent, which could have passed --max-cost.`,
        ]
      : []),
    ...(accepts
      ? [
          `Those that pass are recorded.${models.size > 0 ? ' They replay as soon as your code asks the other model.' : ''}`,
        ]
      : []),
  ]
  const all = {
    name: 'all',
    took: sumUsage(tests.map(({ took }) => took)),
    was: sumUsage(tests.map(({ was }) => was)),
  }
  const rows = [
    ...tests.map((test) => cellsOf(test, test.passed ? 'yes' : 'no')),
    cellsOf(all, `${passed} of ${tests.length}`),
  ]
  const markdown = markdownOf(rows, conclusion)
  addToSummary(() => `${markdown}\n`, terminal)
  if (values.json === true) terminal.write(`${printableJson({ conclusion, tests, spent })}\n`)
  else if (values.format === 'markdown') terminal.write(markdown)
  else {
    const table = writeTable(COLUMNS, rows, tableWidthOf(terminal, values))
    terminal.write(`${[...table, '', ...conclusion, ''].join('\n')}`)
  }
}

function cellsOf(
  { name, took, was }: Pick<LiveTest, 'name' | 'took' | 'was'>,
  passes: string,
): string[] {
  return [layOutLine(name), passes, String(took.exchanges), ...usageCells(took, was)]
}

function markdownOf(rows: readonly string[][], conclusion: readonly string[]): string {
  return [
    '### vitest-cassette rehearse --live',
    '',
    ...conclusion.map(escapeMarkdown),
    '',
    ...markdownTable(COLUMNS, rows),
    '',
  ].join('\n')
}

/** A test that asked a model while it ran live, or failed. */
interface LiveTest {
  /** The name in its recording, or the path where the recording would be. */
  name: string
  passed: boolean
  /** The usage now, and when it was recorded; without a recording that is zero. */
  took: UsageTotal
  was: UsageTotal
}

/** The results and usage of tests that ran live, without those that passed and asked no model. */
function liveTests(lines: readonly RunLine[], folders: RunFolders): LiveTest[] {
  const tookBy = Map.groupBy(answerLines(lines), ({ cassette }) => cassette ?? '')
  const ended = lines.filter((line) => line.kind === 'test')
  const passedBy = new Map(
    ended.flatMap(({ cassette, passed }) => (cassette ? [[cassette.path, passed]] : [])),
  )
  return [...passedBy].flatMap(([path, passed]) => {
    const took = sumUsage((tookBy.get(path) ?? []).map((line) => line.took))
    if (took.exchanges === 0 && passed) return []
    const name = folders.read(path)?.cassette?.conversationId ?? path
    return [{ name, passed, took, was: folders.estimate([path], 1).took }]
  })
}
