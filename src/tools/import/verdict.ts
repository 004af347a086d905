import type { RunLine } from '../../attempt/run-channel.ts'
import { inMode, quoteWord, RECORD_COMMAND } from '../../text/command-line.ts'
import type { ImportVerdict } from '../../explain/explain-imported.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import type { Terminal } from '../terminal/command.ts'

/** What a test does with its imported recording, offline. */
export interface TestVerdict {
  /** `<test file> > <suite> > <test>`. */
  test: string
  /** Relative to the working directory. */
  cassette: string
  /** Those of {@link ImportVerdict}, and `failed` for a test that fails by itself, and `idle` for one that did not run. */
  outcome: 'pass' | ImportVerdict['outcome'] | 'failed' | 'idle'
  /** Why it does not pass. */
  headline?: string
  /** The changes of a prompt. */
  diff?: string
}

/** The verdict on each test, from what its run has told. Of several attempts, the last counts. */
export function judgeImported(
  tests: ReadonlyArray<Pick<TestVerdict, 'test' | 'cassette'>>,
  lines: readonly RunLine[],
): TestVerdict[] {
  const ran = new Map(
    lines.flatMap((line) =>
      line.kind === 'test' && line.cassette ? [[line.cassette.path, line]] : [],
    ),
  )
  const failed = new Map(
    lines.flatMap((line) =>
      line.kind === 'imported' ? [[line.verdict.cassette, line.verdict]] : [],
    ),
  )
  return tests.map(({ test, cassette }): TestVerdict => {
    const line = ran.get(cassette)
    const why = failed.get(cassette)
    if (line?.passed) return { test, cassette, outcome: 'pass' }
    if (why) {
      const { outcome, headline, diff } = why
      return { test, cassette, outcome, headline, diff: diff || undefined }
    }
    if (!line) return { test, cassette, outcome: 'idle' }
    return { test, cassette, outcome: 'failed', headline: line.error || undefined }
  })
}

/** A group of tests that do not pass, in the order of the output. */
interface Group {
  /** What its tests have in common; `n` is their number. */
  title: (n: number) => string
  /** The value of `RECORD` that settles it, and what it does. */
  settle?: [mode: 'prompts' | 'new', does: string]
  note?: string
}

type Groups = Record<Exclude<TestVerdict['outcome'], 'pass'>, Group>

const OF_RECORDINGS: Groups = {
  differs: {
    title: (n) =>
      `${verb(n, 'sends', 'send')} another prompt today than the one that was recorded, and your old tool did not say so`,
    settle: [
      'prompts',
      'If the new prompts are meant, keep the recorded answers, and send no request',
    ],
  },
  more: {
    title: (n) => `${verb(n, 'asks', 'ask')} for more than was recorded`,
    settle: ['new', 'To record what is missing, which calls the providers'],
  },
  unused: {
    title: (n) => `${verb(n, 'does', 'do')} not ask for all that was recorded`,
    settle: ['new', 'To drop what nobody asks for; all else is recorded, so no request is sent'],
    note:
      'A test that asks for nothing may still get its answers from the old tool: take that out of it first.\n' +
      'A client without a key fails before it asks. None is lent here, as a request could be sent with it, so set any:\n' +
      '  OPENAI_API_KEY=none, or AWS_ACCESS_KEY_ID=none AWS_SECRET_ACCESS_KEY=none',
  },
  unasked: {
    title: (n) =>
      `could not be judged, since the old ${n === 1 ? 'file holds' : 'files hold'} no prompt`,
    settle: ['prompts', 'To take over the prompts of today, and send no request'],
  },
  failed: {
    title: (n) => `${verb(n, 'fails', 'fail')} though each prompt is the recorded one`,
    note: 'If the old tool dropped headers of answers, such as the ids of requests, which are in a snapshot now: import with --drop-volatile-headers --force.',
  },
  other: { title: (n) => `${verb(n, 'fails', 'fail')} for another reason` },
  idle: {
    title: (n) => `${verb(n, 'was', 'were')} not run: skipped, or the file could not be loaded`,
  },
}

/** What is otherwise of a trace. */
export const OF_TRACES: Groups = {
  ...OF_RECORDINGS,
  differs: {
    title: (n) => `${verb(n, 'says', 'say')} something else to the model than in the trace`,
    settle: ['new', 'To go on with the model from there, which calls the provider'],
  },
  more: {
    title: (n) => `${verb(n, 'asks', 'ask')} the model for more than in the trace`,
    settle: ['new', 'To record what is missing, which calls the provider'],
  },
  unused: {
    title: (n) => `${verb(n, 'does', 'do')} not ask for all that is in the trace`,
    note: 'Does the test call the application with what the user said? A client that wants a key gets one in replay alone: set any, such as OPENAI_API_KEY=none.',
  },
  failed: {
    title: (n) => `${verb(n, 'fails', 'fail')} as the application said what it did in the trace`,
  },
}

function verb(count: number, one: string, many: string): string {
  return count === 1 ? one : many
}

/** One sentence about all tests. */
export function summarize(
  verdicts: readonly TestVerdict[],
  groups: Groups = OF_RECORDINGS,
): string {
  const passed = verdicts.filter(({ outcome }) => outcome === 'pass').length
  const all = `${passed} of your ${countOf(verdicts.length, 'test')} ${verb(verdicts.length === 1 ? 1 : passed, 'passes', 'pass')} offline.`
  const others = groupsOf(verdicts, groups).map(
    ([group, { length }]) => ` ${length} ${group.title(length)}.`,
  )
  return all + others.join('')
}

function groupsOf(verdicts: readonly TestVerdict[], groups: Groups): Array<[Group, TestVerdict[]]> {
  return Object.entries(groups).flatMap(([outcome, group]): Array<[Group, TestVerdict[]]> => {
    const those = verdicts.filter((one) => one.outcome === outcome)
    return those.length > 0 ? [[group, those]] : []
  })
}

/**
 * Writes the verdict: a sentence about all tests, then each group with its tests, its diffs and the command that
 * settles it. Equal diffs stand there once.
 */
export function writeVerdict(
  verdicts: readonly TestVerdict[],
  { write, colors }: Pick<Terminal, 'write' | 'colors'>,
  groups: Groups = OF_RECORDINGS,
): void {
  write(`${colors.bold(summarize(verdicts, groups))}\n`)
  for (const [{ title, settle, note }, those] of groupsOf(verdicts, groups)) {
    const { length } = those
    write(`\n${countOf(length, 'test')} ${title(length)}:\n`)
    for (const alike of Map.groupBy(
      those,
      ({ headline, diff }) => `${headline}\n${diff}`,
    ).values()) {
      for (const { test } of alike) write(`  ${layOutLine(test)}\n`)
      const [{ headline, diff }] = alike as [TestVerdict]
      if (headline !== undefined) write(`    ${colors.dim(layOutLine(headline))}\n`)
      if (diff !== undefined) write(`${paintDiff(diff, colors)}\n`)
    }
    if (note !== undefined) write(`${note}\n`)
    if (settle) write(`${settle[1]}:\n  ${colors.bold(commandFor(settle[0], those))}\n`)
  }
}

/** The lines of a diff, with the colours of a terminal that has some. */
function paintDiff(diff: string, { red, green }: Terminal['colors']): string {
  const paint = (line: string): string =>
    /^ *- /.test(line) ? red(line) : /^ *\+ /.test(line) ? green(line) : line
  return diff
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${paint(layOutLine(line))}`))
    .join('\n')
}

/** The most files that a command names; without any, it is that of the whole project. */
const MOST_FILES = 5

function commandFor(mode: 'prompts' | 'new', tests: readonly TestVerdict[]): string {
  const files = [...new Set(tests.map(({ test }) => test.split(' > ')[0]!))]
  const words = files.length > MOST_FILES ? [] : files.map((word) => quoteWord(word))
  return inMode([RECORD_COMMAND, ...words].join(' '), mode)
}
