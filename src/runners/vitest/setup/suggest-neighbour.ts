import type { RunnerTestCase } from 'vitest'
import type { Attempt } from '../../../attempt/attempt.ts'
import { hasLeftAnswers } from '../../../cassette/leftovers.ts'
import { cassettePathIn, conversationId } from '../../../cassette/paths.ts'
import { sameTitles, type TestPlace } from '../../../cassette/test-place.ts'
import type { Failure } from '../../../explain/judge-attempt.ts'
import { join } from '../../../real/path.ts'
import { printable } from '../../../text/printable.ts'
import { adviseFirst } from './advise-first.ts'
import { fromUser } from './current-project.ts'
import { placeOfTest } from './place-of-test.ts'
import { recordedBeside } from './recorded-beside.ts'
import { titlesShared } from './shared-titles.ts'
import { titlesOf } from './titles.ts'

/** A test of the same file whose cassette holds a prompt. */
interface Neighbour {
  /** As messages show it. */
  title: string
  /** As the user would type it. */
  cassette: string
  isTwin: boolean
}

/**
 * Says so where the prompt of a failure is recorded for another test of its file: for one of the same title, whose rows
 * have moved, or for one that shares a cache with it.
 *
 * @returns whether it is
 */
export function suggestNeighbour(
  attempt: Attempt,
  failure: Failure,
  test: RunnerTestCase,
  root: string,
): boolean {
  const { session } = attempt
  const isSilent = failure.code === 'unused' && session.unused.length === session.recorded.length
  const [miss] = session.misses
  const isMiss = failure.code === 'miss' && miss?.reason === 'unmatched'
  const asked = isMiss ? miss.incoming : isSilent ? session.unused[0]?.incoming : undefined
  if (!asked) return false
  const found = neighbourWith(asked.hash, attempt, test, root)
  const hasTwins = titlesShared(test.file).has(sameTitles(titlesOf(test)))
  if (!found && isMiss && session.cassette && hasTwins) adviseFirst(failure, WARNING)
  if (found?.isTwin && isMiss) adviseTwin(failure, found, session.test.recordCommand)
  else if (found && !found.isTwin && isSilent) adviseSilent(failure, found)
  else if (found && !found.isTwin && isMiss && !session.cassette)
    adviseFirst(failure, ofCache(found))
  else return false
  return true
}

/** Names the answers that a run which was killed has paid for: to record again would pay twice. */
export function suggestRecover(
  { session, config: { dir } }: Attempt,
  failure: Failure,
  test: RunnerTestCase,
  root: string,
): boolean {
  if (failure.code !== 'miss' || session.misses[0]?.reason !== 'unmatched') return false
  const path = cassettePathIn(join(root, dir), placeOfTest(test, root))
  if (!hasLeftAnswers(root, dir, path)) return false
  adviseFirst(failure, RECOVER)
  return true
}

const RECOVER =
  'A run that ended early has paid for answers of this test, which are in no cassette yet. To use them first:\n  npx vitest-cassette recover'

/** The first test of the file that has the prompt in its cassette; one of the same title comes before all others. */
function neighbourWith(
  hash: string,
  { config }: Attempt,
  test: RunnerTestCase,
  root: string,
): Neighbour | undefined {
  const own = placeOfTest(test, root)
  const ownTitles = sameTitles(own.titles)
  const isTwin = ({ titles }: TestPlace): boolean => sameTitles(titles) === ownTitles
  const beside = recordedBeside(test.file, root, config)
  const others = beside
    .testsWith(hash)
    .filter((place) => place.ordinal !== own.ordinal || !isTwin(place))
  const place = others.find(isTwin) ?? others[0]
  return (
    place && {
      title: printable(conversationId(place)),
      cassette: fromUser(beside.store.display(beside.pathOf(place))),
      isTwin: isTwin(place),
    }
  )
}

/** What a row looks like whose cassette is that of another one. */
const WARNING =
  'Several tests have this title, and only their order tells their cassettes apart. If one was added, removed or moved, give each a title of its own first.'

/** To record again would pay for what is recorded next door, and to keep the answer would take that of another test. */
function adviseTwin(failure: Failure, { title, cassette }: Neighbour, record: string): void {
  const advice = [
    `This prompt is recorded for "${title}" (${cassette}).`,
    'Several tests have this title, and only their order tells their cassettes apart: one was added, removed or moved.',
    'Give each a title of its own first; in test.each, put $name or %s into it. This then gives each its recording, without a request:',
    '  npx vitest-cassette move --detect',
    'Only then record what is still missing:',
    '  npx vitest-cassette record --missing',
    'Or record all tests of this title again:',
    `  ${record}`,
  ].join('\n')
  failure.headline = `The prompt is recorded for another test of the same title: ${title}`
  const { cause } = failure
  failure.details = cause
    ? failure.details.replace(cause.advice, () => advice)
    : `${failure.details}\n\n${advice}`
  if (cause)
    Object.assign(cause, {
      // Each failure names a test of its own.
      key: `twin ${title}`,
      headline: failure.headline,
      advice,
      keeps: false,
    })
}

function ofCache({ title, cassette }: Neighbour): string {
  return [
    `"${title}" has recorded this prompt (${cassette}).`,
    'If the application keeps answers between tests, as a cache at module level does, only the first of them asks.',
    'Clear it in beforeEach, or call vi.resetModules() there and import the module in the test. Then record.',
  ].join('\n')
}

/** All exchanges are unused: whoever deletes them misses as soon as the test runs alone. */
function adviseSilent(failure: Failure, found: Neighbour): void {
  const sections = failure.details.split('\n\n')
  failure.details = [
    ...sections.slice(0, -1),
    `The test asked no model.\n${ofCache(found).replace(' Then record.', '')}\nDo not delete the cassette for this: alone, the test asks.`,
  ].join('\n\n')
}
