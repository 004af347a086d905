import type { Incoming } from '../engine/incoming.ts'
import type { Session } from '../engine/session.ts'
import { quoteWord } from '../text/command-line.ts'

/** A test whose cassette holds a prompt, as messages show it. */
interface OtherTest {
  title: string
  cassette: string
}

/** Where the prompt of a test is recorded that has no answer for it, or that asked nothing. */
export type RecordedElsewhere =
  /** A run that was killed has paid for its answers. */
  | { in: 'killed-run' }
  /** The test has the same title as another one in its file, which has the prompt: rows have moved. */
  | ({ in: 'twin' } & OtherTest)
  /** Another test of the file has it: both may share a cache. */
  | ({ in: 'other-test' } & OtherTest)
  /** Vitest was started below its config: the recordings are in a folder above, and the command begins there. */
  | { in: 'folder-above'; folder: string; command: string }
  /** A cassette without a test begins with this prompt. */
  | { in: 'renamed'; from: string; to: string }
  /** One cassette of the file has no test any more, and begins with another prompt. */
  | { in: 'perhaps-renamed'; from: string; to: string }

/** Finds where else a request of a test is recorded. Only failures ask: it reads other cassettes. */
export type FindElsewhere = (request: Incoming, session: Session) => RecordedElsewhere | undefined

/** What to do first, by where the prompt is recorded; empty where other advice comes first. */
export function adviseElsewhere(elsewhere: RecordedElsewhere | undefined): string {
  switch (elsewhere?.in) {
    case 'killed-run':
      return 'A run that ended early has paid for answers of this test, which are in no cassette yet. To use them first:\n  npx vitest-cassette recover'
    case 'other-test':
      return `${adviseCache(elsewhere)} Then record.`
    case 'folder-above':
      return (
        `This folder has no recordings, and ${elsewhere.folder} has: Vitest takes the folder in which it starts for the root of the project. Start it there:\n` +
        `  ${elsewhere.command} --root ${quoteWord(elsewhere.folder)}`
      )
    case 'renamed':
      return (
        `The cassette ${elsewhere.from} begins with this prompt, and its test is gone. If the test was renamed, keep the recording, without a request:\n` +
        moveCommand(elsewhere)
      )
    default:
      return ''
  }
}

/** What to consider besides the other advice. */
export function noteElsewhere(elsewhere: RecordedElsewhere | undefined): string {
  if (elsewhere?.in !== 'perhaps-renamed') return ''
  return (
    `The cassette ${elsewhere.from} has no test any more. If this is that test, renamed and with another prompt, keep the recording, and see what changed:\n` +
    moveCommand(elsewhere)
  )
}

/** To record again would pay for what is recorded next door, and to keep the answer would take that of another test. */
export function adviseTwin({ title, cassette }: OtherTest, record: string): string {
  return [
    `This prompt is recorded for "${title}" (${cassette}).`,
    'Tests of one title get their cassettes by their first requests, and where these are equal, by their order: one was added, removed or moved.',
    'Give each a title of its own first; in test.each, put $name or %s into it. This then gives each its recording, without a request:',
    '  npx vitest-cassette move --detect',
    'Only then record what is still missing:',
    '  npx vitest-cassette record --missing',
    'Or record all tests of this title again:',
    `  ${record}`,
  ].join('\n')
}

/** Says that a cache may have answered a test, whose prompt another test of its file has recorded. */
export function adviseCache({ title, cassette }: OtherTest): string {
  return [
    `"${title}" has recorded this prompt (${cassette}).`,
    'If the application keeps answers between tests, as a cache at module level does, only the first of them asks.',
    'Clear it in beforeEach, or call vi.resetModules() there and import the module in the test.',
  ].join('\n')
}

function moveCommand({ from, to }: { from: string; to: string }): string {
  return `  npx vitest-cassette move ${quoteWord(from)} ${quoteWord(to)}`
}
