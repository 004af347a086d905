import { resolve } from 'node:path'
import { FILE_SCOPE } from '../../cassette/paths.ts'
import { isRecorded } from '../../cassette/cassette.ts'
import type { RunEstimate } from '../programs/run-estimate.ts'
import type { RecordWords } from './record-words.ts'
import type { RunLine, TestCassetteLine } from '../../attempt/run-channel.ts'
import { RunFolders, type CassetteFile } from '../programs/run-folders.ts'
import { sumUp } from '../../attempt/spending.ts'
import { listTests, replayTests } from '../programs/run-vitest.ts'
import { countOf } from '../../text/count-of.ts'
import type { Terminal } from '../terminal/command.ts'

/** The cassettes to record, as far as they are known before the run. */
export interface Chosen {
  estimate?: RunEstimate
  /** Their paths from the working directory, or that of a folder for all in it. */
  cassettes: string[]
  /** The files of their tests, where no other has to run. */
  files: string[]
  /** The same cassettes before they are recorded. */
  before: ReadonlyMap<string, CassetteFile | undefined>
  /** What the run before, in replay, told of them. */
  missing?: readonly TestCassetteLine[]
  /** What failed in that run for another reason. */
  failed?: readonly FailedLine[]
}

/** What is known before a run, with the file from which each variable comes that is not in the environment. */
export type PreparedRun = Chosen & { readFrom: Readonly<Record<string, string>> }

/** A test, or a file outside of its tests, that failed for another reason than its cassette. */
export type FailedLine = RunLine & { kind: 'failed' }

/** Why there is nothing to record. */
export interface Nothing {
  nothing: string
  /** Whether Vitest failed, so that this is no good news. */
  hasFailed: boolean
}

/** Finds out what to record, without a request to a provider. */
export function choose(
  { which, others }: RecordWords,
  terminal: Terminal,
): Promise<Chosen | Nothing> {
  return which === 'all' || which === 'kept'
    ? chooseListed(others, which === 'kept', terminal)
    : chooseMissing(others, which, terminal)
}

async function chooseListed(
  others: readonly string[],
  isOfKept: boolean,
  terminal: Terminal,
): Promise<Chosen | Nothing> {
  const listed = await listTests(others, terminal)
  if (!listed) return { cassettes: [], files: [], before: new Map() }
  const { tests, folders } = listed
  if (tests.length === 0) return { nothing: NO_TEST, hasFailed: true }
  const all = folders.cassettesOf(tests)
  if (!isOfKept) return chosenIn(folders, all, tests.length)
  const kept = all.filter((path) =>
    folders.read(path)?.cassette?.exchanges.some((one) => isRecorded(one) && one.response.kept),
  )
  return kept.length === 0
    ? { nothing: 'no answer is kept for a changed prompt.', hasFailed: false }
    : chosenIn(folders, kept, kept.length)
}

async function chooseMissing(
  others: readonly string[],
  which: 'missing' | 'changed',
  terminal: Terminal,
): Promise<Chosen | Nothing> {
  terminal.warn(terminal.colors.dim('Running the tests in replay first, to see which miss …'))
  const { output, exitCode, lines } = await replayTests('record', others, terminal)
  const { tests, cassettes: run } = sumUp(lines)
  const missed = run.filter(({ misses, unused }) => misses + unused > 0)
  // Who records a new test does not mean to accept the changed prompts of others.
  const missing = missed.filter(({ isRecorded }) => isRecorded === (which === 'changed'))
  if (missing.length === 0) {
    const invalid = describeInvalid(run)
    if (exitCode === 0 && tests > 0)
      return { nothing: `no test misses.${invalid}`, hasFailed: false }
    terminal.warn(output)
    const unseen = hasPlugin(lines) ? NO_TEST : whyUnseen(exitCode, lines)
    const failed = missed.length > 0 ? describeOthers(missed.length, which) : FAILED
    return { nothing: tests > 0 ? `${failed}${invalid}` : unseen, hasFailed: true }
  }
  const left = missed.length - missing.length
  if (left > 0)
    terminal.warn(
      `${tellOthers(left, which)}, and --${which} leaves them out: ${OTHERS[which].command}`,
    )
  const cassettes = [...new Set(missing.map(({ path }) => path))]
  const paths = run.map(({ path }) => path)
  const folders = new RunFolders(lines, terminal.cwd)
  const chosen = chosenIn(folders, withTestsNotRun(cassettes, paths), cassettes.length)
  const found = folders.testFilesOf(chosen.cassettes)
  const files = found.length > MOST_FILES ? [] : found
  // What runs again says itself why it fails.
  const again = new Set(files.map((file) => resolve(terminal.cwd, file)))
  const failed = lines.filter(
    (line) => line.kind === 'failed' && files.length > 0 && !again.has(resolve(line.file)),
  ) as FailedLine[]
  return { ...chosen, files, missing, failed }
}

/** More would make a command line that a system may refuse. */
const MOST_FILES = 100

const NO_TEST = 'no test ran. Check the names of files and tests.'
const FAILED = 'no test misses. But tests fail for another reason, see above.'

/** Of the tests that a command leaves: what it says where it finds none of its own, and the command for them. */
const OTHERS = {
  missing: {
    nothing: 'every test has a recording.',
    tell: () => 'asked something else than is recorded',
    command: 'npx vitest-cassette record --changed',
  },
  changed: {
    nothing: 'no recording misses.',
    tell: (count: number) => `${count === 1 ? 'has' : 'have'} no recording`,
    command: 'npx vitest-cassette record --missing',
  },
}

function tellOthers(count: number, which: 'missing' | 'changed'): string {
  return `${countOf(count, 'test')} ${OTHERS[which].tell(count)}`
}

/** Names the command for the tests that this one leaves. */
function describeOthers(count: number, which: 'missing' | 'changed'): string {
  const { nothing, command } = OTHERS[which]
  return `${nothing} But ${tellOthers(count, which)}. To record ${count === 1 ? 'it' : 'them'}:\n  ${command}`
}

/** Names the command for recordings that are no longer valid: their prompts match, so they do not miss. */
function describeInvalid(cassettes: readonly TestCassetteLine[]): string {
  const count = cassettes.filter(({ isInvalid }) => isInvalid).length
  if (count === 0) return ''
  return `\n${countOf(count, 'cassette is', 'cassettes are')} no longer valid. To record them again:\n  npx vitest-cassette record --new`
}

/** Why a run has told nothing of itself. Vitest fails early for an option that it does not know, or a broken config. */
export function whyUnseen(exitCode: number | null, lines: readonly RunLine[]): string {
  const refused = lines.find(({ kind }) => kind === 'refused-start')
  if (refused?.kind === 'refused-start') return refused.why
  if (exitCode === 0) return 'no project of this run has the plugin cassettes().'
  return (
    `Vitest failed with exit code ${exitCode ?? 'unknown'}, and no project with the plugin cassettes() started. ` +
    'If Vitest shows an error above, fix that first. If it ran your tests, add the plugin to its config.'
  )
}

/** Whether a project of the run has told of itself. */
export function hasPlugin(lines: readonly RunLine[]): boolean {
  return lines.some(({ kind }) => kind === 'project')
}

/** A `beforeAll` that misses skips all tests of its file, and nobody knows which of them would miss: chooses all. */
function withTestsNotRun(cassettes: readonly string[], run: readonly string[]): string[] {
  return cassettes.flatMap((path) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const ofFile = path === folder + FILE_SCOPE
    const hasRun = run.some((other) => other !== path && other.startsWith(folder))
    return ofFile && !hasRun ? [folder] : [path]
  })
}

function chosenIn(folders: RunFolders, cassettes: string[], tests: number): Chosen {
  const files = cassettes.flatMap((path) =>
    path.endsWith('/') ? folders.cassettesIn(path) : [path],
  )
  const before = new Map(files.map((path) => [path, folders.read(path)]))
  const recorded = files.filter((path) => before.get(path))
  return { cassettes, files: [], before, estimate: folders.estimate(recorded, tests) }
}
