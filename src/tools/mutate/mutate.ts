import { resolve } from 'node:path'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { fetchCommand, Git } from '../programs/git.ts'
import { CONFIG, requireOfVitest } from '../programs/run-vitest.ts'
import { TempFolder } from '../programs/temp-folder.ts'
import {
  type Command,
  defineCommand,
  type ExitCode,
  tableWidthOf,
  type Terminal,
  WIDTH_OPTION,
} from '../terminal/command.ts'
import { addToSummary } from '../terminal/github.ts'
import {
  flag,
  invalidCommand,
  numberOption,
  type OptionValues,
  takes,
  takesText,
  takesTexts,
} from '../terminal/options.ts'
import { columnsOf, markdownTable, writeTable } from '../terminal/table.ts'
import { printableJson } from '../terminal/write-json.ts'
import { type Judgement, judgeTests, KnownFates } from './judge-tests.ts'
import type { Fate, Mutant } from './mutants.ts'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { startedBy } from '../../config/environment.ts'
import { defined, unlessEmpty } from '../../providers/fields.ts'

/** The default of `--max`: how many answers are changed for each test. */
const MOST = 20

/** Changes recorded answers in the ways in which models really fail, and reports the tests that do not notice. */
export const mutate: Command = defineCommand({
  name: 'mutate',
  usage: '[test file…]',
  summary:
    'change recorded answers one at a time, as models really fail, and say which tests do not notice; sends no request',
  options: {
    'test-name-pattern': takesText('only tests whose name matches this pattern of Vitest', 't'),
    project: takesTexts('only tests of this project'),
    config: CONFIG,
    since: takesText('a git ref: only tests whose file or cassette changed since then'),
    max: takes(
      'a whole number above 0',
      `the most answers to change for each test (default: ${MOST})`,
    ),
    seed: takesText('any text: choose other changes where a test has more than --max'),
    'time-limit': takes('a number', 'in seconds: start no further change after this time'),
    min: takes('a number', 'in per cent: exit with 1 if the tests notice fewer changes'),
    again: flag('try changes again whose result an earlier run kept'),
    json: flag('write JSON'),
    format: takes(['text', 'markdown'], '`markdown`: write a table for a pull request'),
    ...WIDTH_OPTION,
  },
  async run(positionals, values, terminal) {
    const until = Date.now() + 1_000 * (numberOption(values, 'time-limit') ?? Infinity)
    const min = numberOption(values, 'min')
    const most = numberOption(values, 'max') ?? MOST
    const isMeant = meantSince(values.since, terminal)
    using folder = new TempFolder()
    await using runs = new VitestRuns(terminal.cwd, folder.path, {
      files: positionals,
      testNamePattern: values['test-name-pattern'],
      projects: values.project ?? [],
      config: values.config,
    })
    let progress = 'Replaying the tests as they are'
    const judging = judgeTests({
      cwd: terminal.cwd,
      folder: folder.path,
      run: (files) => runs.run(files),
      known: new KnownFates(terminal.cwd, values.again ?? false),
      most,
      seed: values.seed ?? '',
      until,
      isMeant,
      tell: (done, of) => (progress = `${done} of ${of} changed answers tried`),
    })
    const judgement = await terminal.progress.during(judging, () => progress)
    if (judgement.tests.length > 0) return report(judgement, values, terminal, min)
    terminal.warn(`${runs.output}\nNo test asked a model.`)
    return 1
  },
})

function report(
  { tests, left }: Judgement,
  values: OptionValues,
  terminal: Terminal,
  min: number | undefined,
): ExitCode {
  const score = scoreOf(tests)
  const percent = percentOf(score)
  const markdown = judgementMarkdown(tests)
  if (values.json === true)
    terminal.write(`${printableJson({ score, percent: percent ?? null, left, tests })}\n`)
  else if (values.format === 'markdown') terminal.write(markdown)
  else terminal.write(print(tests, values, terminal))
  addToSummary(() => markdown, terminal)
  if (left > 0)
    terminal.warn(
      `${countOf(left, 'changed answer')} ${left === 1 ? 'was' : 'were'} not tried, as the time was up. Run this again to go on with ${left === 1 ? 'it' : 'them'}.`,
    )
  if (min === undefined || percent === undefined || percent >= min) return 0
  terminal.warn(`${percent} % were noticed, and --min asks for ${min} %.`)
  return 1
}

function print(tests: readonly JudgedTest[], values: OptionValues, terminal: Terminal): string {
  const { bold, dim, red } = terminal.colors
  const lines: string[] = []
  for (const test of tests) {
    const survived = test.mutants.filter(({ fate }) => fate === 'survived')
    if (survived.length === 0 && test.leftOut === undefined) continue
    lines.push(`${bold(layOutLine(test.title))}  ${dim(layOutLine(testPlace(test)))}`)
    for (const { exchange, what } of survived)
      lines.push(`  ${red('not noticed')}  ${exchange}: ${layOutLine(what)}`)
    if (test.leftOut !== undefined) lines.push(dim(`  left out: ${layOutLine(test.leftOut)}`))
    lines.push('')
  }
  const [head, ...rows] = writeTable(COLUMNS, scoreRows(tests), tableWidthOf(terminal, values))
  return [...lines, bold(head!), ...rows, '', describeScore(scoreOf(tests)), ''].join('\n')
}

function meantSince(
  ref: string | undefined,
  { cwd, env }: Terminal,
): (file: string, cassette: string) => boolean {
  if (ref === undefined) return () => true
  const git = new Git(cwd, env)
  const lists = [
    git.try(['diff', '--name-only', '--relative', '-z', '--merge-base', ref]),
    git.try(['ls-files', '--others', '--exclude-standard', '-z']),
  ]
  if (lists.includes(undefined))
    throw invalidCommand(
      `git cannot list the changes since "${ref}".\nName a commit or branch that is fetched: ${fetchCommand(ref)}`,
    )
  const paths = lists.flatMap((list) => list!.split('\0').filter(Boolean))
  const changed = new Set(paths.map((path) => resolve(cwd, path)))
  return (file, cassette) => [file, cassette].some((path) => changed.has(resolve(cwd, path)))
}

/** A test, with its results for all mutants. */
export interface JudgedTest {
  /** Relative to the working directory of the user. */
  file: string
  line?: number
  title: string
  cassette: string
  mutants: Array<Pick<Mutant, 'exchange' | 'what'> & { fate: Fate }>
  /** The reason why some or all of its answers were not changed. */
  leftOut?: string
}

type Score = Record<'mutants' | Fate, number>

function scoreOf(tests: readonly JudgedTest[]): Score {
  const score: Score = { mutants: 0, assertion: 0, requests: 0, survived: 0 }
  for (const { fate } of tests.flatMap(({ mutants }) => mutants)) {
    score.mutants++
    score[fate]++
  }
  return score
}

/** The share that was noticed, from 0 to 100; `undefined` where nothing was changed. */
function percentOf({ mutants, survived }: Score): number | undefined {
  return mutants === 0 ? undefined : Math.floor(((mutants - survived) / mutants) * 100)
}

const COLUMNS = columnsOf(['', 'score', 'by the test', 'by a request', 'not noticed'])

/** The rows of a table of the files of tests. */
function scoreRows(tests: readonly JudgedTest[]): string[][] {
  const rowOf = (name: string, score: Score): string[] => [
    name,
    score.mutants === 0 ? '–' : `${percentOf(score)} %`,
    ...[score.assertion, score.requests, score.survived].map(String),
  ]
  const byFile = Map.groupBy(tests, ({ file }) => file)
  const rows = [...byFile].map(([file, ours]) => rowOf(layOutLine(file), scoreOf(ours)))
  return [...rows, rowOf('all', scoreOf(tests))]
}

/** The mutants that survived, in Markdown for the summary of a job or a pull request. */
function judgementMarkdown(tests: readonly JudgedTest[]): string {
  const survived = tests.flatMap((test) =>
    test.mutants
      .filter(({ fate }) => fate === 'survived')
      .map(({ exchange, what }) => [testPlace(test), test.title, `${exchange}: ${what}`]),
  )
  return [
    '### vitest-cassette mutate',
    '',
    describeScore(scoreOf(tests)),
    '',
    ...markdownTable(COLUMNS, scoreRows(tests)),
    ...(survived.length > 0 ? ['', ...markdownTable(SURVIVED, survived)] : []),
    '',
  ].join('\n')
}

const SURVIVED = ['line', 'test', 'not noticed'].map((title) => ({ title }))

function testPlace({ file, line }: JudgedTest): string {
  return line === undefined ? file : `${file}:${line}`
}

function describeScore(score: Score): string {
  const { mutants, assertion, requests, survived } = score
  if (mutants === 0) return 'No answer was changed.'
  return (
    `${countOf(mutants, 'changed answer')}: ${mutants - survived} noticed (${percentOf(score)} %), ` +
    `${assertion} by the test itself, ${requests} by the next request of the application; ${survived} not noticed.`
  )
}
type VitestNode = typeof import('vitest/node')

/** Selects the tests to run. */
interface TestFilters {
  files: readonly string[]
  testNamePattern?: string
  projects: readonly string[]
  config?: string
}

/** Runs the tests of a project in replay, repeatedly and in one Vitest, which reads each file of the project once. */
class VitestRuns implements AsyncDisposable {
  /** The output of Vitest so far. */
  output = ''
  readonly #cwd: string
  readonly #folder: string
  readonly #filters: TestFilters
  #vitest?: Awaited<ReturnType<VitestNode['createVitest']>>

  /** @param folder the folder of the changed cassettes and of the test results */
  constructor(cwd: string, folder: string, filters: TestFilters) {
    this.#cwd = cwd
    this.#folder = folder
    this.#filters = filters
  }

  /**
   * Runs all selected tests on the first call, and those in `files` on later calls.
   *
   * @throws CassetteError `invalid-command` where there is no Vitest.
   */
  async run(files: readonly string[]): Promise<void> {
    if (!this.#vitest) {
      this.#vitest = await this.#create()
      // The output names the problem of a config or a filter.
      return void (await this.#vitest.start([...this.#filters.files]).catch(() => {}))
    }
    const known = await this.#vitest.globTestSpecifications([...this.#filters.files])
    const meant = known.filter(({ moduleId }) => files.includes(moduleId))
    await this.#vitest.rerunTestSpecifications(meant)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#vitest?.close()
  }

  async #create() {
    const path = requireOfVitest(this.#cwd).resolve('vitest/node')
    const vitest = (await import(pathToFileURL(path).href)) as VitestNode
    const { testNamePattern, projects, config } = this.#filters
    // Workers inherit the environment.
    Object.assign(process.env, { RECORD: '0', ...startedBy('record', this.#folder) })
    const heard = new Writable({
      write: (chunk, _, done) => {
        this.output += String(chunk)
        done()
      },
    })
    const options = defined({
      root: this.#cwd,
      watch: false,
      coverage: { enabled: false },
      includeTaskLocation: true,
      // A retry tells nothing new, and a failure must not stop the run.
      retry: 0,
      bail: 0,
      reporters: [{}],
      testNamePattern,
      config: config === undefined ? undefined : resolve(this.#cwd, config),
      project: unlessEmpty([...projects]),
    })
    return vitest.createVitest('test', options, {}, { stdout: heard, stderr: heard })
  }
}
