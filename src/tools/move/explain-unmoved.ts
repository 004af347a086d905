import { posix } from 'node:path'
import { quoteWord } from '../../text/command-line.ts'
import { textSimilarity } from '../../diff/similarity.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'

/** A cassette without a test, or a test without a cassette. */
export interface Lone {
  /** The path of the cassette below its folder: where it is, or where its test looks for it. */
  path: string
  /** The same path as a person would type it. */
  shown: string
  /** The test, for people. */
  title: string
  /** The hash of its first prompt. */
  asks?: string | undefined
}

/** Says which cassettes have no test and which tests have no cassette, why none of them was moved, and which are likely one. */
export function explainUnmoved(orphans: readonly Lone[], asking: readonly Lone[]): string {
  if (orphans.length === 0 && asking.length === 0)
    return 'Every cassette has a test, and every test that asks a model has its cassette.\n'
  if (asking.length === 0)
    return (
      `${listed(orphans, 'cassette has no test', 'cassettes have no test')}` +
      'No test that asks a model is without a cassette, so they go nowhere. To delete them: npx vitest-cassette prune\n'
    )
  if (orphans.length === 0)
    return (
      `${listed(asking, 'test has no cassette', 'tests have no cassette')}` +
      'Every cassette has its test, so there is none to move. To record them: npx vitest-cassette record --missing\n'
    )
  return (
    listed(orphans, 'cassette has no test', 'cassettes have no test') +
    listed(asking, 'test has no cassette', 'tests have no cassette') +
    why(orphans, asking) +
    hint(likelyPairs(orphans, asking))
  )
}

function listed(all: readonly Lone[], one: string, many: string): string {
  const lines = all.map(({ shown, title }) => `  ${layOutLine(title)}\n    ${layOutLine(shown)}\n`)
  return `${countOf(all.length, one, many)}:\n${lines.join('')}`
}

/** Why they were not paired. */
function why(orphans: readonly Lone[], asking: readonly Lone[]): string {
  const isAlike = asking.some(({ asks }) => orphans.some((one) => one.asks === asks))
  return isAlike
    ? 'Several of them begin with the same prompt, so it is not sure which belong together.\n'
    : 'None of these tests begins with the first prompt of one of these cassettes, so none was moved.\n'
}

/** A test that may have been renamed while its prompt was edited. */
interface LikelyPair {
  orphan: Lone
  test: Lone
}

function hint(pairs: readonly LikelyPair[]): string {
  if (pairs.length === 0)
    return 'To move one: npx vitest-cassette move <cassette> <where its test looks>\n'
  const commands = pairs.map(
    ({ orphan, test }) =>
      `  npx vitest-cassette move ${quoteWord(orphan.shown)} ${quoteWord(test.shown)}\n`,
  )
  const what = pairs.length === 1 ? 'this may be a test that was' : 'these may be tests that were'
  return (
    `By their names, ${what} renamed while the prompt was edited. To keep the recording:\n${commands.join('')}` +
    'Then the tests show what of the prompt changed.\n'
  )
}

/** Titles with fewer words in common have nothing to do with each other. */
const ALIKE = 0.3

/**
 * Pairs what is likely one test: the same title in another file; the only ones of a file; and then the titles that are
 * most alike, of one file or not.
 */
export function likelyPairs(orphans: readonly Lone[], asking: readonly Lone[]): LikelyPair[] {
  const scored = orphans
    .flatMap((orphan) => asking.map((test) => ({ orphan, test, score: scoreOf(orphan, test) })))
    .filter(({ score }) => score >= ALIKE)
    .sort((one, other) => other.score - one.score)
  const pairs: LikelyPair[] = []
  for (const { orphan, test } of scored)
    if (pairs.every((pair) => pair.orphan !== orphan && pair.test !== test))
      pairs.push({ orphan, test })
  return pairs

  function scoreOf(orphan: Lone, test: Lone): number {
    const [old, fresh] = [orphan, test].map(({ title }) => titlesOf(title))
    const alike = old === fresh ? 1 : textSimilarity(old!, fresh!)
    if (!isBeside(orphan, test)) return alike
    const isOnly = [orphans, asking].every(
      (all) => all.filter((one) => isBeside(one, test)).length === 1,
    )
    return isOnly ? 1 : alike + 0.1
  }
}

function isBeside(one: Lone, other: Lone): boolean {
  return posix.dirname(one.path) === posix.dirname(other.path)
}

/** The titles of a test without its file. */
function titlesOf(title: string): string {
  return title.split(' > ').slice(1).join(' > ')
}
