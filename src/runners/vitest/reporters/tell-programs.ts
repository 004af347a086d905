import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestModule } from 'vitest/node'
import { readPlan } from '../../../attempt/run-channel.ts'
import { spellUnseen } from '../../../cassette/format.ts'
import { countInterrupted } from '../../../cassette/leftovers.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { CACHE_FOLDER } from '../../../config/paths.ts'
import { quoteWord } from '../../../text/command-line.ts'
import { titlePattern } from '../../../text/title-pattern.ts'
import { isSettledByRecording } from '../../../explain/failure.ts'
import type { ErrorCode } from '../../../errors.ts'
import { replaceNote } from '../../../secrets/replace-note.ts'
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

/** Where all of what the line has only begun to tell is kept, relative to the root of the project. */
const DETAILS_FILE = `${CACHE_FOLDER}/failures.json`

/**
 * One line for programs that read the output of a run, such as coding agents: what failed, and where all of it is, with
 * the commands that settle it. People who pipe a run read it too, so it is short.
 *
 * @param isWhole whether the line itself has all of it
 */
export async function tellPrograms(run: EndedRun, isWhole: boolean): Promise<string> {
  const report = reportOfRun(run)
  if (isWhole) return lineOf(report)
  const file = join(run.vitest.config.root, DETAILS_FILE)
  try {
    await replaceNote(file, safeJson(report, 2))
  } catch {
    return lineOf(report)
  }
  return lineOf(shorten(report, fromHere(file)))
}

function reportOfRun({ vitest, modules, errors }: EndedRun): ReportForPrograms {
  const tests = modules.flatMap((module) => failedIn(module))
  const ours = tests.filter(failedByUs)
  const { run } = readEnvironment(process.env)
  const { maxCost, discards } = run ? readPlan(run.folder) : {}
  const ids = new Set<string>()
  for (const root of new Set(vitest.projects.map(({ config }) => config.root)))
    countInterrupted(root, (id) => Boolean(ids.add(id)))
  return reportForPrograms(ours, {
    config: configChosen(vitest),
    projects: vitest.config.project,
    names: namesChosen(vitest),
    other: otherCommand(vitest),
    errors: errors.filter(isOurs),
    othersFail: tests.length > ours.length || errors.some((error) => !isOurs(error)),
    paidFor: ids,
    skill: fromHere(fileURLToPath(SKILL)),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(discards ? { discards } : {}),
  })
}

/** A failed test, or a failed file outside of its tests, with the words that choose it. */
interface FailedTest extends Pick<EndedTest, 'title' | 'meta' | 'errors'> {
  /** As the user would type it. */
  file: string
  project?: string
  /** Its titles; absent for a file. */
  name?: string
}

function failedIn(module: TestModule): Array<FailedTest & EndedTest> {
  const { name: project } = module.project
  const file = fromHere(module.moduleId)
  const [ofFile, ...ofTests] = endedTestsOf(module)
  const tests = [ofFile!, ...ofTests.map((test) => ({ ...test, name: nameIn(test, ofFile!) }))]
  return tests
    .filter((test) => test.hasFailed || failedByUs(test))
    .map((test) => ({ ...test, file, ...(project ? { project } : {}) }))
}

function nameIn({ title }: EndedTest, file: EndedTest): string {
  return title.slice(file.title.length + SEPARATOR.length)
}

/** Stands between a file and its titles. */
const SEPARATOR = ' > '

/** Whether a test failed by this package: it misses, or has one of our errors. */
function failedByUs({ meta, errors, hasFailed }: EndedTest): boolean {
  return (meta.cassette?.misses ?? 0) > 0 || (hasFailed && errors.some(isOurs))
}

/** The parts of a run that are not of one of its tests. */
interface RestOfRun {
  /** The options by which Vitest finds its config, the projects and the names of tests that were chosen. */
  config?: readonly string[]
  projects?: readonly string[]
  /** Quoted. */
  names?: readonly string[]
  /** The command that takes them, if not that of this package. */
  other?: OtherCommand | undefined
  /** The errors that no test and no file could report. */
  errors?: ReadonlyArray<{ code?: unknown; message: string }>
  /** Whether the run also has failures that are not of this package. */
  othersFail?: boolean
  /** The conversations of which a run that was killed has left answers. */
  paidFor?: ReadonlySet<string>
  /** The path of the file that explains the line. */
  skill: string
  /** The limit of the run, in US dollars. */
  maxCost?: number
  /** Whether nothing of the run is kept, as in a rehearsal: no command goes on from it. */
  discards?: boolean
}

/** What programs are told of a run. */
interface ReportForPrograms {
  event: 'misses' | 'failures'
  tests: Told[]
  commands: Record<string, string>
  skill: string
}

/** How many tests the short line names, and the longest command that it has. */
const MOST_TESTS = 3
const MOST_COMMAND = 200

/** The beginning of a report, with the file that has all of it. */
function shorten({ event, tests, commands, skill }: ReportForPrograms, details: string): object {
  const kinds = Map.groupBy(tests, ({ kind, code }) => kind ?? code)
  return {
    event,
    failed: tests.length,
    kinds: Object.fromEntries(Array.from(kinds, ([kind, all]) => [kind, all.length])),
    tests: tests
      .slice(0, MOST_TESTS)
      .map(({ test, code, kind, headline, ended }) => ({ test, code, kind, headline, ended })),
    commands: Object.fromEntries(
      Object.entries(commands).filter(([, { length }]) => length <= MOST_COMMAND),
    ),
    details,
    skill,
  }
}

export function lineOf(report: object): string {
  return MARK + safeJson(report)
}

/** JSON of which no terminal and no CI runner obeys a part, and without what looks like a secret. */
function safeJson(value: object, indent?: number): string {
  const json = JSON.stringify(value, null, indent)
  // Two hashes begin commands of CI runners, at any place of a line.
  return spellUnseen(withoutSecrets(json)).replaceAll('##', '#\\u0023')
}

type Which = 'changed' | 'missing' | 'new'

/** The command that records the tests of each kind, by its name among the commands. An error, and a
 * prompt that is recorded for a test of the same title, are settled by none. */
const COMMANDS: Readonly<Record<string, readonly [name: string, which: Which]>> = {
  changed: ['record', 'changed'],
  other: ['record', 'changed'],
  unrecorded: ['missing', 'missing'],
  invalid: ['renew', 'new'],
}

/** @param tests those that failed by this package */
export function reportForPrograms(tests: readonly FailedTest[], run: RestOfRun): ReportForPrograms {
  const { errors = [], skill } = run
  const told = tests.map((test) => ({ test, told: tellTest(test) }))
  const missed = told.filter(({ told: { misses = 0 } }) => misses > 0)
  const isLess =
    !run.othersFail && errors.length === 0 && told.every((one) => canDrop(one.test, one.told))
  const settled = told.map((one) => ({
    ...one,
    ways: run.discards ? {} : waysFor(one.test, one.told, isLess, run),
  }))
  return {
    event: missed.length > 0 ? 'misses' : 'failures',
    tests: [
      ...settled.map(({ told, ways }) =>
        Object.keys(ways).length > 0 ? { ...told, commands: ways } : told,
      ),
      // They came when their test, or its file, had ended.
      ...errors.map(tellError),
    ],
    commands: run.discards
      ? {}
      : {
          ...commandsForAll(told, isLess, run),
          // What the commands above have changed, as a reviewer sees it.
          review: 'npx vitest-cassette diff --json',
        },
    skill,
  }
}

/** Whether a test failed for nothing else than that it asks for less than is recorded, and no program of it failed. */
function canDrop({ errors }: FailedTest, { code, misses = 0, unused = 0, ended }: Told): boolean {
  return code === 'unused' && misses === 0 && unused > 0 && !ended && errors.every(isOurs)
}

/** How the tests of its kind are recorded. What was refused would be refused again. */
function howToRecord({ kind = '', code }: Told): (typeof COMMANDS)[string] | undefined {
  return code !== 'recording-refused' && isSettledByRecording(code) ? COMMANDS[kind] : undefined
}

/** The commands that settle one test, and no other. */
function waysFor(
  { file, project, name, title }: FailedTest,
  told: Told,
  isLess: boolean,
  { config = [], other, paidFor, maxCost }: RestOfRun,
): Record<string, string> {
  const record = howToRecord(told)
  const words = [
    file,
    ...config,
    ...(project === undefined ? [] : ['--project', project]),
    ...(name === undefined ? [] : ['-t', titlePattern(name.split(SEPARATOR))]),
  ].map((word) => quoteWord(word))
  const paid = [...limitOf(maxCost), ...words]
  return {
    ...(paidFor?.has(title) ? { recover: RECOVER } : {}),
    ...(told.keeps && record ? { keep: commandFor(other, words, 'prompts') } : {}),
    ...(record
      ? { [record[0]]: commandFor(other, paid, record[1] === 'new' ? 'new' : undefined) }
      : {}),
    ...(isLess ? { drop: commandFor(other, paid, 'new') } : {}),
  }
}

const RECOVER = 'npx vitest-cassette recover --yes'

function limitOf(maxCost: number | undefined): string[] {
  return maxCost === undefined ? [] : ['--max-cost', String(maxCost)]
}

/** The commands that settle all tests of a kind, and of no other. */
function commandsForAll(
  told: ReadonlyArray<{ test: FailedTest; told: Told }>,
  isLess: boolean,
  { config = [], projects = [], names = [], other, paidFor, maxCost }: RestOfRun,
): Record<string, string> {
  // A command that takes no limit is not of a run that had one.
  const limit = limitOf(maxCost)
  const wordsOf = (some: ReadonlyArray<{ test: FailedTest }>): string[] => [
    ...new Set(some.map(({ test }) => quoteWord(test.file))),
    ...config.map((word) => quoteWord(word)),
    ...projects.flatMap((name) => ['--project', quoteWord(name)]),
    ...names,
  ]
  const ofKind = Map.groupBy(told, (one) => howToRecord(one.told)?.join())
  const changed = ofKind.get(COMMANDS.changed!.join()) ?? []
  const compared = changed.filter(({ told: { cassette } }) => cassette !== undefined)
  const all = [...new Map(Object.values(COMMANDS).map((one) => [one.join(), one]))]
  return {
    ...(told.some(({ test }) => paidFor?.has(test.title)) ? { recover: RECOVER } : {}),
    ...(changed.length > 0 && changed.every((one) => one.told.keeps)
      ? { keep: commandFor(other, wordsOf(changed), 'prompts') }
      : {}),
    ...(isLess && told.length > 0
      ? { drop: commandFor(other, [...limit, ...wordsOf(told)], 'new') }
      : {}),
    ...Object.fromEntries(
      all.flatMap(([key, [name, which]]) => {
        const some = ofKind.get(key)
        return some ? [[name, commandFor(other, [...limit, ...wordsOf(some)], which)]] : []
      }),
    ),
    ...(compared.length > 0
      ? {
          show: `npx vitest-cassette show --json ${compared.map((one) => quoteWord(one.told.cassette!)).join(' ')}`,
        }
      : {}),
  }
}

/** A failed test, or an error of the run, as programs are told of it. */
interface Told {
  test?: string
  project?: string
  code: ErrorCode
  headline?: string
  cassette?: string
  misses?: number
  unused?: number
  ended?: string[]
  kind?: string
  keeps?: boolean
  missed?: NonNullable<EndedTest['meta']['cassette']>['missed']
  /** The commands that settle this test alone. */
  commands?: Record<string, string>
}

function tellTest({ title, project, meta, errors }: FailedTest): Told {
  const error = errors.find(isOurs)
  const which = { test: title, ...(project === undefined ? {} : { project }) }
  if (!meta.cassette) return { ...which, ...tellError(error) }
  const { misses, unused, cassette, failure, missed, ended } = meta.cassette
  const { code, headline } = failure ?? (misses > 0 && !error ? MISSED : tellError(error))
  const { group = misses > 0 ? 'other' : undefined, keeps = false } = failure?.cause ?? {}
  return {
    ...which,
    code,
    cassette,
    misses,
    unused,
    ...(ended ? { ended } : {}),
    ...(group === undefined ? {} : { kind: group }),
    ...(headline === undefined ? {} : { headline }),
    ...(failure?.cause ? { keeps } : {}),
    ...(missed ? { missed } : {}),
  }
}

/** A test that missed, and whose failure is not known: Vitest gave up on it. */
const MISSED: Pick<Told, 'code' | 'headline'> = { code: 'miss' }

/** An error that is of no verdict. It crossed processes, and lost its type; its first line says what happened. */
function tellError(
  error: { code?: unknown; message: string } | undefined,
): Pick<Told, 'code' | 'headline'> {
  const { code, message } = error ?? {}
  return {
    code: typeof code === 'string' ? (code as ErrorCode) : 'internal',
    ...(message === undefined ? {} : { headline: message.split('\n')[0]! }),
  }
}
