import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PriceTable } from '../../conversation/cost.ts'
import { CassetteError } from '../../errors.ts'
import { readModelMap } from '../../features/other-model.ts'
import { layOutLine, printable } from '../../text/printable.ts'
import { refuseOtherFolder } from '../page/report-folder.ts'
import { HTML_OPTION, writePage } from '../page/write-page.ts'
import { readEnvFiles } from '../programs/run-vitest.ts'
import { DIR_OPTION, noCassette, openFolders } from '../sources/cassette-folders.ts'
import {
  type Command,
  defineCommand,
  type ExitCode,
  tableWidthOf,
  type Terminal,
  WIDTH_OPTION,
} from '../terminal/command.ts'
import { addToSummary } from '../terminal/github.ts'
import { openPrices, PRICES_OPTION } from '../terminal/open-prices.ts'
import {
  flag,
  invalidCommand,
  numberOption,
  type OptionValues,
  readCap,
  takes,
  takesPath,
  takesText,
  takesTexts,
  textOption,
  textOptions,
} from '../terminal/options.ts'
import { printableJson } from '../terminal/write-json.ts'
import type { UserJudge } from './judge-asking.ts'
import { rehearseLive } from './live.ts'
import { readOwnKeys } from './provider-key.ts'
import { type LeftOut, type Question, readQuestions } from './questions.ts'
import { askAll } from './rehearsal.ts'
import { printReport, rehearsalForPage, renderReportMarkdown, type Report } from './report.ts'
import { readAtOption } from './other-dialect.ts'

const COUNT = 'a whole number above 0'

export const rehearse: Command = defineCommand({
  name: 'rehearse',
  usage: '[part of a test or path…] [--samples 5] [--model other] [--max-cost 2]',
  summary:
    'ask recorded prompts again, and say which answers behave otherwise; costs money, and writes no cassette',
  options: {
    samples: takes(COUNT, 'how often to ask each prompt; says how many answers behave as recorded'),
    agree: takes(COUNT, 'how many of the samples have to behave as recorded (default: all)'),
    model: takesTexts(
      'ask this model in the place of all that are recorded, or of one: --model gpt-5=gpt-6, repeatable',
    ),
    endpoint: takesText(
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
    record: flag('with --live: record the tests that pass'),
    judge: takesPath(
      'file',
      'a file whose default export gets two answers and says whether the new one is good enough',
    ),
    history: takesPath(
      'new file',
      'a file to which each rehearsal adds a line; prints the changes since the last line',
    ),
    ...HTML_OPTION,
    concurrency: takes(COUNT, 'how many calls to send at the same time (default: 4)'),
    timeout: takes(COUNT, 'seconds that an answer may take (default: 120)'),
    ...PRICES_OPTION,
    format: takes(['text', 'markdown', 'json'], 'markdown, for an issue or a pull request'),
    json: flag('write JSON'),
    ...DIR_OPTION,
    ...WIDTH_OPTION,
  },
  async run(filters, values, given) {
    const words = readWords(values, given)
    const format = values.format ?? (values.json ? 'json' : 'text')
    refuseMixed(values)
    const judge = await loadJudge(values, given)
    const terminal = { ...given, env: { ...(await envFilesOf(given)), ...given.env } }
    if (values.live) return rehearseLive(filters, words, values.record ?? false, values, terminal)
    const folder = values.html
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
})

/** The options for prompts that are asked one by one. `--live` does not take them. */
const ONE_BY_ONE = ['samples', 'agree', 'judge', 'history', 'html', 'key', 'dir', 'endpoint']

function refuseMixed(values: OptionValues): void {
  if (values.live !== true && values.record === true)
    throw invalidCommand('--record records tests that pass live. Say: rehearse --live --record')
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

/** The parsed options of `rehearse`. */
export type RehearseWords = ReturnType<typeof readWords>

/**
 * Reads the options of `rehearse`.
 *
 * @throws CassetteError `invalid-command` for a value that an option cannot have.
 */
function readWords(values: OptionValues, terminal: Terminal) {
  const cap = textOption(values, 'max-cost')
  const at = textOption(values, 'endpoint')
  return {
    samples: numberOption(values, 'samples') ?? 1,
    /** How many samples of a question have to behave as recorded. */
    agree: numberOption(values, 'agree'),
    /** In US dollars. */
    maxCost: cap === undefined ? undefined : readCap(cap),
    /** The file of the history. */
    history: textOption(values, 'history'),
    /** How many calls are in flight at once. */
    atOnce: numberOption(values, 'concurrency') ?? 4,
    timeoutMs: (numberOption(values, 'timeout') ?? 120) * 1_000,
    /** The address at which another model is asked. */
    at: at === undefined ? undefined : readAtOption(at),
    keys: readOwnKeys(textOptions(values, 'key')),
    models: readModelMap(textOptions(values, 'model')),
    prices: openPrices(values, terminal),
  }
}

/**
 * Loads the function that `--judge` names.
 *
 * @throws CassetteError `invalid-command` if the file cannot be loaded, or has no such function.
 */
async function loadJudge(values: OptionValues, { cwd }: Terminal): Promise<UserJudge | undefined> {
  const name = textOption(values, 'judge')
  if (name === undefined) return undefined
  let loaded: { default?: unknown }
  try {
    loaded = (await import(pathToFileURL(resolve(cwd, name)).href)) as { default?: unknown }
  } catch (error) {
    throw invalidCommand(`${name} cannot be loaded: ${(error as Error).message}`, { cause: error })
  }
  if (typeof loaded.default === 'function') return loaded.default as UserJudge
  throw invalidCommand(
    `${name} has no function as its default export. Write: export default ({ before, now }) => now.text.includes('Paris')`,
  )
}

/** The recorded prompts that can be asked again, and those that cannot. */
export interface RecordedPrompts {
  questions: Question[]
  leftOut: LeftOut[]
  /** 1 where a cassette could not be read. */
  code: ExitCode
}

/**
 * Reads the cassettes whose path or test has one of the filters in it, or all.
 *
 * @throws CassetteError `invalid-command` where there is nothing to rehearse.
 */
function readAll(
  filters: readonly string[],
  values: OptionValues,
  prices: PriceTable,
  terminal: Terminal,
): RecordedPrompts {
  const all: RecordedPrompts = { questions: [], leftOut: [], code: 0 }
  const isMeant = (text: string): boolean =>
    filters.length === 0 ||
    filters.some((filter) => text.toLowerCase().includes(filter.toLowerCase()))
  const places = openFolders(values, terminal).flatMap(({ store }) =>
    store.list().map((path) => ({ store, path, name: store.display(path) })),
  )
  if (places.length === 0) throw noCassette(values, terminal)
  for (const { store, path, name } of terminal.progress.over(places, 'cassettes read')) {
    try {
      const cassette = store.load(path)
      if (!cassette || !isMeant(`${name}\n${cassette.conversationId}`)) continue
      const { questions, leftOut } = readQuestions(name, cassette, prices)
      all.questions.push(...questions)
      all.leftOut.push(...leftOut)
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      terminal.warn(terminal.colors.yellow(printable(error.message)))
      all.code = 1
    }
  }
  if (all.questions.length + all.leftOut.length > 0 || all.code === 1) return all
  const which =
    filters.length > 0 ? ` with ${filters.map(layOutLine).join(' or ')} in its path or test` : ''
  throw invalidCommand(`There is no cassette${which}.\nList all with: vitest-cassette show`)
}
