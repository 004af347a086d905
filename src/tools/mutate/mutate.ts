import { resolve } from 'node:path'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { judgeTests, type Judgement } from './judge-tests.ts'
import { KnownFates } from './known-fates.ts'
import {
  describeScore,
  judgementMarkdown,
  testPlace,
  SCORE_COLUMNS,
  scoreRows,
} from './render-judgement.ts'
import { percentOf, scoreOf, type JudgedTest } from './score.ts'
import { Git } from '../programs/git.ts'
import { tableWidthOf, type Command, type ExitCode, type Terminal } from '../terminal/command.ts'
import { addToSummary } from '../terminal/github.ts'
import { columnsOf, writeTable } from '../terminal/table.ts'
import { printableJson } from '../terminal/write-json.ts'
import { TempFolder } from '../programs/temp-folder.ts'
import { CONFIG } from '../programs/run-vitest.ts'
import { VitestRuns } from '../programs/vitest-runs.ts'
import {
  flag,
  invalidCommand,
  numberOption,
  takesText,
  takesTexts,
  textOption,
  textOptions,
  type OptionValues,
} from '../terminal/options.ts'

/** The default of `--max`: how many answers are changed for each test. */
const MOST = 20

/** Changes recorded answers in the ways in which models really fail, and reports the tests that do not notice. */
export const mutate: Command = {
  name: 'mutate',
  usage: '[test file…]',
  summary:
    'change recorded answers one at a time, as models really fail, and say which tests do not notice; sends no request',
  options: {
    'test-name-pattern': takesText('only tests whose name matches this pattern of Vitest', 't'),
    project: takesTexts('only tests of this project'),
    config: CONFIG,
    since: takesText('a git ref: only tests whose file or cassette changed since then'),
    max: takesText(`the most answers to change for each test (default: ${MOST})`),
    seed: takesText('any text: choose other changes where a test has more than --max'),
    'time-limit': takesText('in seconds: start no further change after this time'),
    min: takesText('in per cent: exit with 1 if the tests notice fewer changes'),
    force: flag('try changes again whose result an earlier run kept'),
    json: flag('write JSON'),
    format: takesText('`markdown`: write a table for a pull request'),
    width: takesText(),
  },
  async run(positionals, values, terminal) {
    const until = Date.now() + 1_000 * (numberOption(values, 'time-limit', 'a number') ?? Infinity)
    const min = numberOption(values, 'min', 'a number')
    const most = numberOption(values, 'max', 'a number') ?? MOST
    const isMeant = meantSince(textOption(values, 'since'), terminal)
    using folder = new TempFolder()
    await using runs = new VitestRuns(terminal.cwd, folder.path, {
      files: positionals,
      testNamePattern: textOption(values, 'test-name-pattern'),
      projects: textOptions(values, 'project'),
      config: textOption(values, 'config'),
    })
    let progress = 'Replaying the tests as they are'
    const judging = judgeTests({
      cwd: terminal.cwd,
      folder: folder.path,
      run: (files) => runs.run(files),
      known: new KnownFates(terminal.cwd, values.force === true),
      most,
      seed: textOption(values, 'seed') ?? '',
      until,
      isMeant,
      tell: (done, of) => (progress = `${done} of ${of} changed answers tried`),
    })
    const judgement = await terminal.progress.during(judging, () => progress)
    if (judgement.tests.length > 0) return report(judgement, values, terminal, min)
    terminal.warn(`${runs.output}\nNo test asked a model.`)
    return 1
  },
}

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
  const columns = columnsOf(SCORE_COLUMNS)
  const [head, ...rows] = writeTable(columns, scoreRows(tests), tableWidthOf(terminal, values))
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
      `git cannot list the changes since "${ref}".\nName a commit or branch that is fetched: git fetch origin ${ref}`,
    )
  const paths = lists.flatMap((list) => list!.split('\0').filter(Boolean))
  const changed = new Set(paths.map((path) => resolve(cwd, path)))
  return (file, cassette) => [file, cassette].some((path) => changed.has(resolve(cwd, path)))
}
