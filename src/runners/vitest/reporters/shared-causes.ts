import type { TestCase, Vitest } from 'vitest/node'
import { quoteWord } from '../../../text/command-line.ts'
import { sumUsage } from '../../../conversation/cost.ts'
import type { FailureInRun } from '../../../explain/failure.ts'
import {
  describeTaking,
  howToRecord,
  KEEPS_ANSWERS,
  renderWays,
  type WayOut,
} from '../../../explain/ways-out.ts'
import { countOf } from '../../../text/count-of.ts'
import { testNamePattern } from '../versions/run.ts'
import { commandFor, otherCommand, type OtherCommand } from './other-command.ts'
import { configChosen, fromHere } from './run-options.ts'
import type { SharedCause } from './same-cause.ts'

/**
 * The failure text of tests with one cause: that of the first test, with the commands that settle all of them.
 *
 * @param found the number of files and projects that the tests belong to
 * @param settled what the commands take in
 * @param shown the failure text of the first test of a project, without its own commands
 */
export function renderSharedCause(
  { failure, tests }: SharedCause<object>,
  found: { files: number; projects: number },
  settled: Settled,
  shown: string,
  color: boolean,
): string {
  const files = `${countOf(tests.length, 'test')} of ${countOf(found.files, 'file')}`
  const several = found.projects > 1
  const all = several ? `${files} in ${countOf(found.projects, 'project')}` : files
  const which = several ? 'one' : 'the first'
  const others = describeOthers(settled.tests.length - tests.length)
  const { group, lasts = false } = failure.cause!
  if (group === 'error') return `${shown}\n\nThis error fails ${all}: above is ${which} of them.`
  if (group === 'invalid')
    return `${shown}\n\nThe recordings of ${all} are no longer valid, for the same reason: above is ${which} of them.\n${others}${howToRecord('them', lasts)}:\n  ${recordCommand('new', settled)}`
  if (group !== 'unrecorded')
    return `${shown}\n\nThis one change fails ${all}: above is ${which} of them.\n${others}If it is meant, ${renderWays(waysOut(tests, settled), color)}`
  const nothing = `${shown}\n\nNothing is recorded for ${all}: this is ${which} of them.`
  const missing = { command: recordCommand('missing', settled), takes: 'record them all' }
  return failure.kind === 'renamed'
    ? `${nothing}\n${others}Tests that are gone were recorded with these prompts. If they were renamed, ${renderWays([DETECT, missing], color)}`
    : `${nothing}${others === '' ? ' ' : `\n${others}`}To ${renderWays([missing], color)}`
}

const DETECT: WayOut = {
  command: 'npx vitest-cassette move --detect',
  takes: 'keep their recordings, and send no request',
}

/** Warns of tests that the same command takes in, though they fail for other reasons. */
function describeOthers(count: number): string {
  if (count <= 0) return ''
  const fail = count === 1 ? 'fails for another reason' : 'fail for other reasons'
  return `${countOf(count, 'more test')} ${fail}. The command takes ${count === 1 ? 'it' : 'them'} in too, so look at ${count === 1 ? 'it' : 'them'} first.\n`
}

function waysOut(tests: SharedCause<object>['tests'], settled: Settled): WayOut[] {
  const took = sumUsage(settled.tests.flatMap(({ failure }) => failure?.cause?.took ?? []))
  const record = { command: recordCommand('changed', settled), takes: describeTaking(took) }
  const keep = { command: recordCommand('prompts', settled), takes: KEEPS_ANSWERS }
  return tests.every(({ failure }) => failure.cause?.keeps) ? [keep, record] : [record]
}

function recordCommand(
  which: 'changed' | 'missing' | 'new' | 'prompts',
  { other, words }: Settled,
): string {
  return commandFor(other, words, which)
}

/** More files make a command that nobody reads. A run of some files names them all: others may cost money. */
const MAX_FILES = 8

/** A test of a run that misses, or that does not ask for all of its cassette. */
export interface FailedTest {
  test: TestCase
  failure?: FailureInRun
}

/** What a command that records settles. */
export interface Settled {
  /** The command, if it is not that of this package. */
  other: OtherCommand | undefined
  /** The words that narrow it to the tests that are meant, as far as words can. */
  words: string[]
  /** The tests that it takes in. */
  tests: FailedTest[]
}

/**
 * Narrows a command to the projects and files of tests with one cause. A command without files takes in all failed
 * tests of its projects, so it is right only if the run was whole and all of their failures have this cause.
 *
 * @param meant the tests with the cause
 * @param failed all tests of the run that such a command would record
 * @param isWhole whether all tests of the project ran
 */
export function settledTests(
  vitest: Vitest,
  meant: readonly FailedTest[],
  failed: readonly FailedTest[],
  isWhole: boolean,
): Settled {
  const projects = new Set(meant.map(projectOf))
  // A run of chosen projects knows of no others, and a command without their names would.
  const namesProjects = vitest.config.project.length > 0 || vitest.projects.length > projects.size
  const inReach = namesProjects ? failed.filter((one) => projects.has(projectOf(one))) : failed
  const files = new Set(meant.map(fileOf))
  const isShort = files.size <= MAX_FILES
  const namesFiles = !isWhole || (inReach.length > meant.length && isShort)
  return {
    other: otherCommand(vitest),
    words: [
      ...configChosen(vitest).map((word) => quoteWord(word)),
      ...(namesProjects ? [...projects].flatMap((name) => ['--project', quoteWord(name)]) : []),
      ...(namesFiles ? [...files].map((file) => quoteWord(fromHere(file))).sort() : []),
      ...namesChosen(vitest),
    ],
    tests: namesFiles ? inReach.filter((one) => files.has(fileOf(one))) : [...inReach],
  }
}

/** Whether the command for a cause records a test that fails for another one. */
export function isTaken(meant: FailureInRun, other: FailureInRun | undefined): boolean {
  const [group, another] = [meant.cause?.group, other?.cause?.group]
  if (group === 'invalid') return true
  // `--missing` records those without a cassette, `--changed` the others, and neither one that misses nothing.
  return another !== 'invalid' && (group === 'unrecorded') === (another === 'unrecorded')
}

function fileOf({ test }: FailedTest): string {
  return test.module.moduleId
}

function projectOf({ test }: FailedTest): string {
  return test.project.name
}

/** The names of tests to which the run was narrowed. */
export function namesChosen(vitest: Vitest): string[] {
  const pattern = testNamePattern(vitest)
  return pattern ? ['-t', quoteWord(pattern.source)] : []
}
