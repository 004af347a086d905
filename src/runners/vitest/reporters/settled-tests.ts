import type { TestCase, Vitest } from 'vitest/node'
import { quoteWord } from '../../../config/mode.ts'
import { hasNoCassette, isInvalid, type Cause } from '../../../explain/cause.ts'
import { configChosen, fromHere } from './run-options.ts'

/** More files make a command that nobody reads. A run of some files names them all: others may cost money. */
const MAX_FILES = 8

/** A test of a run that misses, or that does not ask for all of its cassette. */
export interface FailedTest {
  test: TestCase
  cause?: Cause
}

/** What a command of `vitest-cassette record` settles. */
export interface Settled {
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
    words: [
      ...configChosen(vitest),
      ...(namesProjects ? [...projects].flatMap((name) => ['--project', quoteWord(name)]) : []),
      ...(namesFiles ? [...files].map((file) => quoteWord(fromHere(file))).sort() : []),
      ...namesOf(vitest),
    ],
    tests: namesFiles ? inReach.filter((one) => files.has(fileOf(one))) : [...inReach],
  }
}

/** Whether the command for a cause records a test that fails for another one. */
export function isTaken(meant: Cause, other: Cause | undefined): boolean {
  if (!other || isInvalid(meant)) return true
  // `--changed` records no test without a cassette, and neither it nor `--missing` one that misses nothing.
  return !isInvalid(other) && (hasNoCassette(meant) || !hasNoCassette(other))
}

function fileOf({ test }: FailedTest): string {
  return test.module.moduleId
}

function projectOf({ test }: FailedTest): string {
  return test.project.name
}

/** The names of tests to which the run was narrowed. */
function namesOf(vitest: Vitest): string[] {
  const pattern = vitest.getGlobalTestNamePattern()
  return pattern ? ['-t', quoteWord(pattern.source)] : []
}
