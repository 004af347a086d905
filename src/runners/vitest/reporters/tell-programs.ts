import { fileURLToPath } from 'node:url'
import { readPlan } from '../../../attempt/run-channel.ts'
import { spellUnseen } from '../../../cassette/format.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { quoteWord } from '../../../text/command-line.ts'
import { hasNoCassette, isError, isInvalid } from '../../../explain/kind-of-cause.ts'
import type { Cause } from '../../../explain/cause.ts'
import type { ErrorCode } from '../../../errors.ts'
import { withoutSecrets } from '../../../secrets/without-secrets.ts'
import { endedTestsOf, type EndedTest, isOurs } from '../../run-watchers.ts'
import type { EndedRun } from './ended-run.ts'
import { commandFor, otherCommand, type OtherCommand } from './other-command.ts'
import { configChosen, fromHere } from './run-options.ts'
import { namesChosen } from './shared-causes.ts'

/** The mark at the beginning of the line that is for programs. */
const MARK = '[vitest-cassette] '

/** What explains the line to those who read it, beside the folder of the built package. */
const SKILL = new URL('../skills/vitest-cassette/SKILL.md', import.meta.url)

/** One line for programs that read the output of a run, such as coding agents: what failed, and which command settles it. */
export function tellPrograms({ vitest, modules, errors }: EndedRun): string {
  const failed = modules.filter((module) => endedTestsOf(module).some(failedByUs))
  const files = failed.map(({ moduleId }) => quoteWord(fromHere(moduleId)))
  const projects = vitest.config.project.flatMap((name) => ['--project', quoteWord(name)])
  const words = [
    ...files,
    ...configChosen(vitest).map((word) => quoteWord(word)),
    ...projects,
    ...namesChosen(vitest),
  ]
  const { run } = readEnvironment(process.env)
  const { maxCost } = run ? readPlan(run.folder) : {}
  return lineForPrograms(failed.flatMap(endedTestsOf).filter(failedByUs), {
    words,
    other: otherCommand(vitest),
    errors: errors.filter(isOurs),
    skill: fromHere(fileURLToPath(SKILL)),
    ...(maxCost === undefined ? {} : { maxCost }),
  })
}

/** Whether a test failed by this package: it misses, or has one of our errors. */
function failedByUs({ meta, errors, hasFailed }: EndedTest): boolean {
  return (meta.cassette?.misses ?? 0) > 0 || (hasFailed && errors.some(isOurs))
}

/** The parts of a run that are not of one of its tests. */
interface RestOfRun {
  /** The test files, and the options by which Vitest finds its config and chooses tests. */
  words: readonly string[]
  /** The command that takes them, if not that of this package. */
  other?: OtherCommand | undefined
  /** The errors that no test and no file could report. */
  errors?: ReadonlyArray<{ code?: unknown; message: string }>
  /** The path of the file that explains the line. */
  skill: string
  /** The limit of the run, in US dollars. */
  maxCost?: number
}

/** @param tests those that failed by this package */
export function lineForPrograms(
  tests: ReadonlyArray<Pick<EndedTest, 'title' | 'meta' | 'errors'>>,
  { words, other, errors = [], skill, maxCost }: RestOfRun,
): string {
  const told = tests.map(tellTest)
  const missed = told.filter(({ misses = 0 }) => misses > 0)
  const recorded = missed.filter(({ kind }) => kind !== 'unrecorded')
  const all = [
    ...told,
    // They came when their test, or its file, had ended.
    ...errors.map(({ code, message }) => ({ code: codeOf(code), headline: headlineOf(message) })),
  ]
  const isKept = missed.length > 0 && missed.every(({ keeps }) => keeps)
  // A program that failed has to be mended: what it did not ask is to stay.
  const isLess =
    missed.length === 0 &&
    told.some(({ unused = 0 }) => unused > 0) &&
    told.every(({ ended }) => !ended)
  const isNew = missed.some(({ kind }) => kind === 'unrecorded')
  // A command that takes no limit is not of a run that had one.
  const limit = maxCost === undefined ? [] : ['--max-cost', String(maxCost)]
  const record = commandFor(other, [...limit, ...words], isNew ? 'missing' : 'changed')
  const commands = {
    ...(isKept ? { keep: commandFor(other, words, 'prompts') } : {}),
    ...(isLess ? { drop: commandFor(other, [...limit, ...words], 'new') } : {}),
    ...(missed.length > 0 ? { record } : {}),
    ...(recorded.length > 0
      ? { show: `npx vitest-cassette show --json ${recorded.map(nameOf).join(' ')}` }
      : {}),
    // What the commands above have changed, as a reviewer sees it.
    review: 'npx vitest-cassette diff --json',
  }
  const event = missed.length > 0 ? 'misses' : 'failures'
  const json = JSON.stringify({ event, tests: all, commands, skill })
  // Two hashes begin commands of CI runners, at any place of a line.
  return MARK + spellUnseen(withoutSecrets(json)).replaceAll('##', '#\\u0023')
}

/** A failed test, or an error of the run, as programs are told of it. */
interface Told {
  test: string
  code: ErrorCode
  headline?: string
  cassette?: string
  misses?: number
  unused?: number
  ended?: string[]
  kind?: string
  keeps?: boolean
  missed?: NonNullable<EndedTest['meta']['cassette']>['missed']
}

function tellTest({ title, meta, errors }: Pick<EndedTest, 'title' | 'meta' | 'errors'>): Told {
  const error = errors.find(isOurs)
  const isMissing = (meta.cassette?.misses ?? 0) > 0
  const code = isMissing && !error ? 'miss' : codeOf(error?.code)
  const headline = error && { headline: headlineOf(error.message) }
  if (!meta.cassette) return { test: title, code, ...headline }
  const { misses, unused, cassette, cause, missed, ended } = meta.cassette
  return {
    test: title,
    code,
    cassette,
    misses,
    unused,
    ...(ended ? { ended } : {}),
    ...(misses > 0 || cause ? { kind: kindOf(cause) } : {}),
    ...headline,
    ...(cause ? { headline: cause.headline, keeps: cause.keeps } : {}),
    ...(missed ? { missed } : {}),
  }
}

/** Errors cross processes, and lose their types. */
function codeOf(code: unknown): ErrorCode {
  return typeof code === 'string' ? (code as ErrorCode) : 'internal'
}

function headlineOf(message: string): string {
  return message.split('\n')[0]!
}

function nameOf({ cassette = '' }: Told): string {
  return quoteWord(cassette)
}

function kindOf(cause: Cause | undefined): string {
  if (!cause) return 'other'
  if (hasNoCassette(cause)) return 'unrecorded'
  if (isInvalid(cause)) return 'invalid'
  return isError(cause) ? 'error' : 'changed'
}
