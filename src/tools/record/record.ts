import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  readLines,
  writePlan,
  type RunLine,
  type TestCassetteLine,
} from '../../attempt/run-channel.ts'
import { type Spent, sumUp } from '../../attempt/spending.ts'
import { countInterrupted } from '../../cassette/leftovers.ts'
import { decideMode } from '../../config/decide-mode.ts'
import { readEnvironment, startedBy } from '../../config/environment.ts'
import { quoteWord } from '../../text/command-line.ts'
import { JOURNAL_FOLDER } from '../../config/paths.ts'
import { dollarsText } from '../../conversation/cost.ts'
import type { Change } from '../../diff/change.ts'
import { countOf } from '../../text/count-of.ts'
import { type CassetteState, compareCassettes } from '../compare/compare-cassettes.ts'
import { choose, type Chosen, hasPlugin, type PreparedRun, whyUnseen } from './choose-tests.ts'
import { Git } from '../programs/git.ts'
import {
  describeEstimate,
  describeProgress,
  type RunEstimate,
  usageText,
} from '../programs/run-estimate.ts'
import { readRecordWords, RECORD_OPTIONS, type RecordWords } from './record-words.ts'
import { RunFolders } from '../programs/run-folders.ts'
import {
  COST_UNKNOWN,
  envFilesOf,
  readConfig,
  readEnvFiles,
  refuseWords,
  showVitest,
} from '../programs/run-vitest.ts'
import { TempFolder } from '../programs/temp-folder.ts'
import { printJson } from '../terminal/write-json.ts'
import { caution, type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import { keyVariables } from '../../providers/key-variables.ts'
import { summaryRows } from '../../runners/run-watchers.ts'
import { printable } from '../../text/printable.ts'

export const record: Command = defineCommand({
  name: 'record',
  usage:
    '[--missing | --changed | --kept | --new | --prompts | --samples 5] [--max-cost 2] [arguments of vitest run]',
  summary:
    'run tests once and record their answers; prints the cost of last time before, and the changes after',
  options: RECORD_OPTIONS,
  takesAll: true,
  async run(words, _, given) {
    const asked = readRecordWords(words)
    refuseWords(given.cwd, asked.others, Object.keys(RECORD_OPTIONS))
    const env = await readEnvFiles(given, asked.others)
    const terminal = withData(asked, { ...given, env: { ...env, ...given.env } })
    const readFrom = envFilesOf(Object.keys(env), given.cwd, asked.others)
    const tell = (data: RecordedData): void => void (asked.json && printJson(data, given))
    // Before anything runs: Vitest would refuse it too, after a whole replay.
    decideMode(undefined, readEnvironment({ ...terminal.env, RECORD: asked.mode }))
    const addresses = warnOfAddresses(Object.keys(env), asked.others, terminal)
    if (asked.mode === 'prompts') return keepAnswers(asked, terminal, tell)
    const chosen = await choose(asked, terminal)
    if ('nothing' in chosen) {
      const isOfReplay = asked.which !== 'kept' && !chosen.hasFailed
      const nothing = (isOfReplay ? withAddresses(addresses) : '') + chosen.nothing
      terminal.write(`Nothing to record: ${nothing}\n`)
      tell(dataOf(sumUp([]), nothing))
      return chosen.hasFailed ? 1 : 0
    }
    if (chosen.estimate) terminal.write(`${describe(asked, chosen.estimate)}\n`)
    else caution(COST_UNKNOWN, terminal)
    return recordChosen(asked, { ...chosen, readFrom }, terminal, tell)
  },
})

/** What `--json` writes. */
interface RecordedData extends Pick<Spent, 'calls' | 'refused' | 'took'> {
  /** Those that a test of this run has, and what the run did with each. */
  cassettes: Spent['cassettes']
  /** Why there was nothing to record. */
  nothing?: string
}

type TellData = (data: RecordedData) => void

function dataOf({ calls, refused, took, cassettes }: Spent, nothing?: string): RecordedData {
  return { cassettes, calls, refused, took, nothing }
}

/** With `--json`, what is for people goes to standard error. */
function withData({ json }: RecordWords, terminal: Terminal): Terminal {
  return json ? { ...terminal, write: (text) => terminal.warn(text.replace(/\n$/, '')) } : terminal
}

/** Variables that change where a request goes, and so the request. */
const ADDRESS = /(?:_BASE_?URL|_API_BASE|_ENDPOINT|_HOST)$/

/**
 * Warns of addresses that come from `.env`, and names them: unlike keys, a replay needs them too, and Vitest reads no such
 * file.
 */
function warnOfAddresses(
  names: readonly string[],
  words: readonly string[],
  terminal: Terminal,
): string[] {
  const found = names.filter((name) => ADDRESS.test(name))
  const config = found.length > 0 ? readConfig(terminal.cwd, words) : ''
  if (LOADS_ENV.test(config)) return []
  const addresses = found.filter((name) => !config.includes(name))
  if (addresses.length === 0) return []
  const [it, is] = addresses.length === 1 ? ['it', 'is'] : ['them', 'are']
  const env = addresses.map((name) => `${name}: '…'`).join(', ')
  caution(
    `${addresses.join(', ')} ${is} read from .env for this command alone. A replay needs ${it} too, also on CI: unless your code sets ${it}, write in the config of Vitest:\n  test: { env: { ${env} } }`,
    terminal,
  )
  return addresses
}

/** A replay that had those addresses says nothing of one that lacks them. */
function withAddresses(names: readonly string[]): string {
  return names.length > 0 ? `with ${names.join(', ')}, which a plain run of Vitest lacks, ` : ''
}

/** Words of a config that reads `.env` itself. */
const LOADS_ENV = /loadEnv|dotenv/

/** Accepts changed prompts. Sends no request, so it announces no cost. */
async function keepAnswers(
  { others }: RecordWords,
  terminal: Terminal,
  tell: TellData,
): Promise<0 | 1> {
  using folder = new TempFolder()
  const run = { RECORD: 'prompts', ...startedBy('record', folder.path) }
  const code = await showVitest(terminal, others, run)
  const spent = sumUp(readLines(folder.path))
  tell(dataOf(spent))
  const [kept, respelled] = (['kept', 'respelled'] as const).map(
    (figure) => spent.cassettes.filter((one) => (one[figure] ?? 0) > 0).length,
  ) as [number, number]
  if (kept > 0)
    terminal.write(
      `${countOf(kept, 'cassette has', 'cassettes have')} changed prompts, whose answers are kept.\n`,
    )
  if (respelled > 0)
    terminal.write(
      `${countOf(respelled, 'cassette stores', 'cassettes store')} requests as they are sent today, so that they replay by hash.\n`,
    )
  if (kept + respelled > 0) terminal.write(howToReview(terminal))
  return code === 0 ? 0 : 1
}

function describe({ mode, maxCost }: RecordWords, estimate: RunEstimate): string {
  return [
    describeEstimate(estimate),
    mode === 'new' ? 'Recorded answers replay, and their requests are not sent.' : '',
    maxCost === undefined ? '' : `At most ${dollarsText(maxCost)} is spent.`,
  ]
    .filter(Boolean)
    .join(' ')
}

async function recordChosen(
  { mode, which, samples, maxCost, others }: RecordWords,
  chosen: PreparedRun,
  terminal: Terminal,
  tell: TellData,
): Promise<0 | 1> {
  const { estimate, cassettes, files, before } = chosen
  using folder = new TempFolder()
  const run = folder.path
  writePlan(run, { chosen: which === 'all' ? undefined : cassettes, maxCost })
  let isStopped = false
  const env = {
    RECORD: mode,
    ...(samples === undefined ? {} : { SAMPLES: String(samples) }),
    ...startedBy('record', run),
  }
  const code = await terminal.progress.during(
    showVitest(terminal, [...others, ...files], env, () => (isStopped = true)),
    () => describeProgress(sumUp(readLines(run)), estimate),
  )
  const lines = readLines(run)
  const spent = sumUp(lines)
  tell(dataOf(spent))
  // Without the plugin, a set-up that is imported by hand tells of its calls.
  if (!hasPlugin(lines) && spent.calls === 0) {
    terminal.warn(terminal.colors.red(`Nothing was recorded: ${whyUnseen(code, lines)}`))
    return 1
  }
  const folders = new RunFolders(lines, terminal.cwd)
  // Without a list of the tests, their earlier cassettes are unknown.
  if (estimate) printChanges(spent, folders, before, terminal)
  printSpent(spent, folders, terminal)
  if (isStopped) {
    terminal.write(describeStopped(spent.tests, which, estimate))
    return 1
  }
  const isAll = printLeft(chosen, lines, terminal)
  return code === 0 && spent.refused === 0 && isAll ? 0 : 1
}

/** Says what a run that was stopped has left, as by Ctrl-C, and how to go on. */
function describeStopped(
  ended: number,
  which: RecordWords['which'],
  estimate: RunEstimate | undefined,
): string {
  const of = estimate ? ` of ${estimate.tests}` : ''
  const words = which === 'all' ? '--missing' : `--${which}`
  const left =
    which === 'all'
      ? 'The other tests keep the recordings that they have. To record the tests that have none'
      : 'The other tests are as they were. To go on'
  return `Stopped after ${ended}${of} ${ended === 1 && !estimate ? 'test' : 'tests'}. ${left}:\n  npx vitest-cassette record ${words}\n`
}

function printChanges(
  { cassettes }: Spent,
  folders: RunFolders,
  before: Chosen['before'],
  terminal: Terminal,
): void {
  const recorded = cassettes.filter((cassette) => cassette.recorded > 0)
  const rerecorded = [...new Set(recorded.map(({ path }) => path))].flatMap((path) => {
    const after = folders.read(path)
    return after ? [{ after, before: before.get(path) }] : []
  })
  if (rerecorded.length === 0) return
  terminal.write(`${describeChanges(rerecorded)}.\n`)
  if (rerecorded.some(({ before, after }) => before && before.text !== after.text))
    terminal.write(howToReview(terminal))
  const fresh = recorded.find(({ path }) => !before.has(path))
  const rule = fresh && ignoringRule(fresh.path, terminal)
  if (rule)
    caution(`git ignores new cassettes (${rule}), so nobody else can replay them.`, terminal)
}

function howToReview({ colors }: Terminal): string {
  return `To see it and judge it:\n  ${colors.bold('npx vitest-cassette review')}\n`
}

function printSpent(spent: Spent, folders: RunFolders, { write, colors }: Terminal): void {
  const { took, refused } = spent
  const advise = (what: string, command: string): void =>
    write(`${what}:\n  ${colors.bold(`npx vitest-cassette ${command}`)}\n`)
  write(`Spent: ${usageText(took)}.\n`)
  const kept = filesOf(spent.refusedBy, folders)
  if (refused > 0) {
    const sent = `${countOf(refused, 'call was', 'calls were')} not sent, which could have passed --max-cost`
    const areNew = spent.refusedBy.some((path) => folders.read(path) === undefined)
    if (areNew) advise(`${sent}. To go on with those of new tests`, 'record --missing')
    else write(`${sent}.\n`)
  }
  if (kept.length > 0)
    advise(
      'Tests that have a recording kept it, and replay where their prompts are as they were. To record these again too',
      `record ${kept.map((word) => quoteWord(word)).join(' ')}`,
    )
  const roots = folders.roots.filter((root) => existsSync(join(root, JOURNAL_FOLDER)))
  const left = roots.reduce((sum, root) => sum + countInterrupted(root), 0)
  if (left > 0)
    advise(
      `${countOf(left, 'recording')} ended without a cassette. To keep the answers paid for`,
      'recover',
    )
}

/** The test files of those cassettes that exist. */
function filesOf(cassettes: readonly string[], folders: RunFolders): string[] {
  const ids = cassettes.flatMap((path) => folders.read(path)?.cassette?.conversationId ?? [])
  return [...new Set(ids.map((id) => id.split(' > ')[0]!))]
}

/** A cassette before and after a run that recorded it. */
export interface Rerecorded {
  /** Absent where there was none. */
  before?: CassetteState | undefined
  after: CassetteState
}

/** Describes how a run changed cassettes: `3 cassettes: the prompt of 2, the answer of 1; 38 as they were`. */
export function describeChanges(all: readonly Rerecorded[]): string {
  const fresh = all.filter(({ before }) => before === undefined).length
  const changed = all
    .filter(({ before, after }) => before && before.text !== after.text)
    .map((states) => compareCassettes({ name: '', ...states }).changes)
  const parts = Object.entries(DIFFERENCES).flatMap(([what, isOne]) => {
    const { length } = changed.filter((changes) => isOne(changes.map(({ place }) => place.of)))
    return length > 0 ? `${what} ${length}` : []
  })
  const same = all.length - fresh - changed.length
  const others = fresh > 0 ? ' changed' : ''
  const were = same === 1 ? 'as it was' : 'as they were'
  return [
    ...(fresh > 0 ? [countOf(fresh, 'new cassette')] : []),
    ...(changed.length > 0
      ? [`${countOf(changed.length, 'cassette')}${others}: ${parts.join(', ')}`]
      : []),
    ...(same > 0 ? [`${same === all.length ? countOf(same, 'cassette') : same} ${were}`] : []),
  ].join('; ')
}

/** What differs between two recordings. An added or removed exchange counts as a change of both halves. */
const DIFFERENCES: Record<string, (places: ReadonlyArray<Change['place']['of']>) => boolean> = {
  'the prompt of': (places) => places.includes('prompt') || places.includes('exchange'),
  'the answer of': (places) => places.includes('answer') || places.includes('exchange'),
  'the formatting of': (places) => places.every((of) => of === 'cassette'),
}

/**
 * The rule by which git ignores a new cassette, as `.gitignore:3:*.json`; `undefined` if it does not. All cassettes of
 * a folder have the same rule.
 */
function ignoringRule(file: string, { cwd, env }: Terminal): string | undefined {
  const git = new Git(cwd, env)
  const found = git.try(['check-ignore', '--verbose', '--', file])
  // Where git ignores the whole project, nobody else has it.
  return found && git.try(['check-ignore', '--', '.']) === undefined
    ? found.split('\t')[0]
    : undefined
}

/** More are counted. */
const MOST_SHOWN = 10

/**
 * Names what a run was to record and did not, and what failed in the run before it. Another run of Vitest would say it;
 * this one was of the chosen tests alone. Names the keys that were refused, and those that are not set.
 *
 * @param known what is known before the run, with the file from which each variable comes that is not in the environment
 * @returns whether nothing is left
 */
function printLeft(
  { missing = [], failed = [], readFrom }: PreparedRun,
  lines: readonly RunLine[],
  { env, colors, write }: Pick<Terminal, 'env' | 'colors' | 'write'>,
): boolean {
  const told = sumUp(lines).cassettes
  const recorded = new Set(told.flatMap(({ path, recorded }) => (recorded > 0 ? path : [])))
  const unrecorded = missing.filter(({ path }) => !recorded.has(path))
  // A test that failed has said why, whether or not it sent a request.
  const passed = new Set(
    lines.flatMap((line) => (line.kind === 'test' && line.passed ? (line.title ?? []) : [])),
  )
  const ended = new Set(lines.flatMap((line) => (line.kind === 'test' ? (line.title ?? []) : [])))
  const silent = unrecorded.filter(({ title }) => title !== undefined && passed.has(title))
  const unrun = unrecorded.filter(({ title }) => title !== undefined && !ended.has(title))
  const names = (some: readonly string[]): string => {
    const all = [...new Set(some)]
    const shown = all.slice(0, MOST_SHOWN).map((name) => `  ${printable(name)}\n`)
    const left = all.length - MOST_SHOWN
    return shown.join('') + (left > 0 ? `  and ${left} more\n` : '')
  }
  if (silent.length > 0) {
    const what = countOf(silent.length, 'test that missed', 'tests that missed')
    write(
      colors.yellow(`Not recorded: ${what}, and passed without a call of a provider.`) +
        `\n${names(silent.map(({ title }) => title!))}`,
    )
  }
  if (unrun.length > 0) {
    const what = countOf(unrun.length, 'test that missed', 'tests that missed')
    write(
      colors.yellow(`Not recorded: ${what}, and did not run again.`) +
        `\n${names(unrun.map(({ title }) => title!))}`,
    )
  }
  const keys = keysMissing(unrecorded, env)
  const rows = [
    ...[...new Set(told.flatMap(({ refused }) => refused ?? []))].flatMap((refused) => {
      const [name = ''] = refused.split(' ')
      const source = readFrom[name] ?? 'the environment, which wins over .env'
      const isSet = Boolean(env[name])
      return [
        colors.yellow(`The provider refused ${printable(refused)}.`),
        ...(isSet ? [`Its value comes from ${source}.`] : []),
      ]
    }),
    ...(keys.length > 0
      ? [
          colors.yellow(
            `Recording asks the provider itself, which takes a real key: set ${keys.join(' or ')}.`,
          ),
          'It is neither in the environment nor in .env. An application can swallow the error of its SDK.',
        ]
      : []),
  ]
  write(summaryRows('Keys', rows, colors))
  if (failed.length > 0)
    write(
      colors.yellow(
        `Not recorded either: ${countOf(failed.length, 'failure')} for another reason.`,
      ) + `\n${names(failed.map(({ title, why }) => `${title}: ${why}`))}`,
    )
  return silent.length + unrun.length + failed.length === 0
}

/** The variables of which one has to be set to ask what missed, where none is; each provider once. */
function keysMissing(
  unrecorded: readonly TestCassetteLine[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const addresses = unrecorded.flatMap(({ urls = [] }) => urls)
  const keys = addresses
    .map((url) => keyVariables(url))
    .filter((names) => !names.some((name) => env[name]))
  return [...new Set(keys.flatMap(([first]) => first ?? []))]
}
