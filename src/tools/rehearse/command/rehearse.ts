import { resolve } from 'node:path'
import { CassetteError } from '../../../errors.ts'
import { renderReportMarkdown } from '../report-markdown.ts'
import type { Report } from '../make-report.ts'
import { refuseOtherFolder } from '../../page/report-folder.ts'
import { DIR_OPTION } from '../../sources/cassette-folders.ts'
import { writePage } from '../../page/write-page.ts'
import { tableWidthOf, type Command, type Terminal } from '../../terminal/command.ts'
import { addToSummary } from '../../terminal/github.ts'
import { PRICES_OPTION } from '../../terminal/open-prices.ts'
import { printableJson } from '../../terminal/write-json.ts'
import { askAll } from './ask-all.ts'
import { rehearseLive } from './live.ts'
import { printReport } from './print-report.ts'
import { readAll } from './read-all.ts'
import { readEnvFiles } from '../../programs/run-vitest.ts'
import { loadJudge, readWords } from './words.ts'
import {
  flag,
  invalidCommand,
  takesText,
  takesTexts,
  textOption,
  type OptionValues,
} from '../../terminal/options.ts'
import { rehearsalForPage } from '../rehearsed.ts'

/** Asks recorded prompts again, and reports which answers behave differently. */
export const rehearse: Command = {
  name: 'rehearse',
  usage: '[part of a test or path…] [--samples 5] [--model other] [--max-cost 2]',
  summary:
    'ask recorded prompts again, and say which answers behave otherwise; costs money, and writes no cassette',
  options: {
    samples: takesText('how often to ask each prompt; says how many answers behave as recorded'),
    agree: takesText('how many of the samples have to behave as recorded (default: all)'),
    model: takesText('ask this model in the place of all that are recorded'),
    map: takesTexts(
      'ask one model in the place of another: --map gpt-5=gpt-6, as often as you like',
    ),
    at: takesText(
      'where to ask the other model: the address of chat completions, or of messages (default: by its name)',
    ),
    'max-cost': takesText(
      'in US dollars: send no call that could exceed it, and keep the answers paid for',
    ),
    key: takesTexts(
      'the variable with the key of a host: --key llm.example.com=LLM_KEY, as often as you like',
    ),
    live: flag(
      'run the tests themselves live, and say which pass; Vitest takes the other words as filters of test files',
    ),
    accept: flag('with --live: record the tests that pass'),
    judge: takesText(
      'a file whose default export gets two answers and says whether the new one is good enough',
    ),
    history: takesText(
      'a file to which each rehearsal adds a line; prints the changes since the last line',
    ),
    report: takesText(
      'the folder to write a page to: the differing answers side by side, and all cassettes',
    ),
    'at-once': takesText('how many calls to send at the same time (default: 4)'),
    timeout: takesText('seconds that an answer may take (default: 120)'),
    ...PRICES_OPTION,
    format: takesText('markdown, for an issue or a pull request'),
    json: flag('write JSON'),
    ...DIR_OPTION,
    width: takesText(),
  },
  async run(filters, values, given) {
    const words = readWords(values, given)
    const format = textOption(values, 'format') ?? (values.json === true ? 'json' : 'text')
    if (!['json', 'markdown', 'text'].includes(format))
      throw invalidCommand('--format takes markdown, json or text.')
    refuseMixed(values)
    const judge = await loadJudge(values, given)
    const terminal = { ...given, env: { ...(await envFilesOf(given)), ...given.env } }
    if (values.live === true)
      return rehearseLive(filters, words, values.accept === true, values, terminal)
    const folder = textOption(values, 'report')
    // Refused before any money is spent.
    if (folder !== undefined) refuseOtherFolder(resolve(given.cwd, folder))
    const recorded = readAll(filters, values, words.prices, terminal)
    const report = await askAll(recorded, words, judge, terminal)
    printResult(report, format, values, terminal)
    if (folder !== undefined) {
      const { page } = await writePage(folder, values, terminal, rehearsalForPage(report))
      terminal.warn(`The answers side by side: ${page}`)
    }
    return report.hasDrifted || report.stopped !== undefined ? 1 : recorded.code
  },
}

/** The options for prompts that are asked one by one. `--live` does not take them. */
const ONE_BY_ONE = ['samples', 'agree', 'judge', 'history', 'report', 'key', 'dir', 'at']

function refuseMixed(values: OptionValues): void {
  if (values.live !== true && values.accept === true)
    throw invalidCommand('--accept records tests that pass live. Say: rehearse --live --accept')
  const other =
    values.live === true ? ONE_BY_ONE.find((name) => values[name] !== undefined) : undefined
  if (other !== undefined)
    throw invalidCommand(
      `--${other} is for prompts that are asked one by one, and --live runs tests. Use one of them.`,
    )
}

/** The variables in the `.env` files that Vitest would read; none in a project without Vitest. */
async function envFilesOf(terminal: Terminal): Promise<Record<string, string>> {
  try {
    return await readEnvFiles(terminal, [])
  } catch (error) {
    if (CassetteError.isInstance(error)) return {}
    throw error
  }
}

function printResult(
  report: Report,
  format: string,
  values: OptionValues,
  terminal: Terminal,
): void {
  addToSummary(() => `${renderReportMarkdown(report)}\n`, terminal)
  if (format === 'json') terminal.write(`${printableJson(report)}\n`)
  else if (format === 'markdown') terminal.write(renderReportMarkdown(report))
  else terminal.write(printReport(report, tableWidthOf(terminal, values), terminal))
}
