import { summarizeChanges } from '../../diff/describe-change.ts'
import type { PromptChange } from '../../diff/prompt-change.ts'
import { isDerived } from '../../diff/rank-changes.ts'
import { makeChange, splitText } from '../../diff/change.ts'
import { isUnaskedExchange } from '../../engine/recorded.ts'
import { findUnasked } from '../../features/unasked.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { countOf } from '../../text/count-of.ts'
import { inMode } from '../../text/command-line.ts'
import { printable } from '../../text/printable.ts'
import { isMcpAddress } from '../../wire/address.ts'
import { adviseElsewhere, adviseTwin, noteElsewhere } from '../elsewhere.ts'
import type { MissFacts } from '../facts/miss-facts.ts'
import { exchangesStillAsked } from '../facts/still-asked.ts'
import { isPaceInPlay } from '../facts/suspects.ts'
import type { Cause, FailureGroup, FailureKind } from '../failure.ts'
import { askerOf, describeExchange, labelled, paint } from '../labelled.ts'
import { renderWays, tookOf, waysOut } from '../ways-out.ts'
import { describeMiss, moreOfMiss, notesOfMiss } from './describe-miss.ts'
import { PACE } from './hints.ts'
import { adviseOnIdentity, headlineOfConflict, headlineOfSuggestion } from './volatile.ts'
import { adviseWriter, reasonOf } from './written.ts'

/** A kind of a miss. What else a failure has is the same for all of them. */
type MissKind = Pick<FailureKind<MissFacts>, 'name' | 'when' | 'headline' | 'advice' | 'cause'> & {
  /** True where the prompt is none of the recorded ones, so that hints may say why. */
  hasHints?: true
}

const ROWS: readonly MissKind[] = [
  {
    name: 'late',
    when: ({ miss }) => miss.reason === 'closed',
    headline: ({ session }) =>
      `A request was sent when its test had ended: "${printable(session.test.id)}"`,
    advice(facts) {
      const { miss, session, record } = facts
      const asker = askerOf(session.test)
      return (
        `The verdict on a ${asker} cannot depend on a request that is sent after its end, so it is not answered.\n` +
        `${miss.askedBy === undefined ? '' : `${WAIT_FOR_EXIT}\n`}Await it in the ${asker} that starts it, and record that ${asker} again:${record}` +
        adviseOnQueue(facts)
      )
    },
  },
  {
    name: 'followed',
    when: ({ followed }) => followed !== undefined,
    headline({ followed }) {
      const { asked, to, by } = followed!
      const verb = by === 'redirect' ? 'redirects' : 'leads'
      return printable(
        `The recorded answer of ${asked.method} ${asked.url} ${verb} to ${to.href}; nothing is recorded there`,
      )
    },
    advice: ({ followed, record }) =>
      `Nothing was sent to ${printable(followed!.to.host)}. If the answer was edited, restore the cassette from git.\n` +
      `If it is meant to lead there, record this test again:${record}`,
  },
  {
    name: 'sample',
    when: ({ session }) => session.samples !== undefined,
    headline: ({ session: { sample, samples } }) =>
      `Sample ${sample} is not recorded: ${countOf(samples!.size, 'is', 'are')}`,
    advice: ({ session: { test } }) =>
      'A test that is repeated has a sample for each of its runs. To record those that are missing:\n' +
      `  ${paint.bold(inMode(test.recordCommand, 'new'))}`,
    // To record the test again would pay for the other samples too.
    cause: ({ session: { sample, samples } }) => ({
      group: 'error',
      key: `sample ${sample} of ${samples!.size}`,
    }),
  },
  {
    name: 'contradiction',
    when: ({ miss }) => miss.conflict !== undefined,
    headline: ({ miss }) => headlineOfConflict(miss.conflict!),
    advice(facts) {
      const { before, now } = facts.miss.conflict!
      const why = adviseOnIdentity([before.rule, now.rule], facts.isOfTest)
      return `${why}\n${recordIfMeant(facts)}`
    },
  },
  {
    name: 'credential',
    when: ({ miss }) => miss.credential !== undefined,
    headline({ miss }) {
      const credential = miss.credential!
      const { path } = credential
      if (credential.other === undefined)
        return printable(
          `A server gets another credential: ${path} was the value of ${credential.recorded}, and now is that of ${credential.now}`,
        )
      const [was, is] = credential.areSame ? ['differed', 'are equal'] : ['were equal', 'differ']
      return printable(
        `A server gets another credential: ${credential.other} and ${path} ${was} in the recording, and now ${is}`,
      )
    },
    // No credential is stored, so the value alone is never the reason.
    advice(facts) {
      const credential = facts.miss.credential!
      const why =
        credential.other === undefined
          ? 'The cassette holds the names of the variables, and no value, so any value of the recorded variable matches.\n' +
            `If this machine has the recorded credential under another name, set ${printable(credential.recorded)} to it.`
          : 'The cassette holds which credentials of a request are equal, and no value, so other values match as long as the same ones are equal.'
      return `${why}\n${recordIfMeant(facts)}`
    },
    cause: causeOfChange,
  },
  {
    name: 'turn',
    when: ({ miss }) => miss.turn !== undefined,
    headline: (facts) =>
      `${askedBy(facts)} was asked out of turn: ${facts.miss.turn!.exchange.id} comes before it`,
    advice: ({ miss, record }) =>
      `${labelled('next', describeExchange(miss.turn!))}\n\nIf the new order is meant, record this test again:${record}`,
  },
  {
    name: 'repeat',
    when: ({ answering }) => answering > 0,
    hasHints: true,
    headline: (facts) =>
      `${askedBy(facts)} was asked more often than recorded: ${facts.answering} of ${facts.answering} already played`,
    advice(facts) {
      const { session, record, written } = facts
      if (written) return adviseOnWritten(facts, true)
      const pace = isPaceInPlay(session) ? `${PACE}\n` : ''
      return `${pace}If the ${askerOf(session.test)} may ask once more, record it again:${record}`
    },
  },
  {
    name: 'misplaced',
    when: ({ elsewhere }) => elsewhere?.in === 'twin',
    hasHints: true,
    headline: ({ elsewhere }) =>
      `The prompt is recorded for another test of the same title: ${elsewhere?.in === 'twin' ? elsewhere.title : ''}`,
    advice: ({ elsewhere, session }) =>
      elsewhere?.in === 'twin' ? adviseTwin(elsewhere, session.test.recordCommand) : '',
    // Each names a test of its own.
    cause: (facts) => ({ ...causeOf(facts, 'misplaced'), keeps: false }),
  },
  {
    name: 'renamed',
    when: ({ session, elsewhere }) => !session.cassette && elsewhere?.in === 'renamed',
    hasHints: true,
    headline: () => NOTHING,
    advice: adviseToRecord,
    cause: (facts) => causeOf(facts, 'unrecorded', 'renamed'),
  },
  {
    name: 'unrecorded',
    when: ({ session }) => !session.cassette,
    hasHints: true,
    headline: () => NOTHING,
    advice: adviseToRecord,
    cause: (facts) => causeOf(facts, 'unrecorded', 'unrecorded'),
  },
  {
    name: 'empty',
    when: ({ closest }) => closest === undefined,
    hasHints: true,
    headline: () => 'The cassette of this test holds no exchange',
    advice: adviseToRecord,
  },
  {
    name: 'written',
    when: ({ written }) => written !== undefined,
    headline(facts) {
      const { written, closest, session, incoming } = facts
      if (closest!.changes.length === 0) return reasonOf(written!.exchange, incoming)
      return session.unused.length === 0 ? headlineOfOneMore(facts) : headlineOfChange(facts)
    },
    advice: (facts) => adviseOnWritten(facts, false),
  },
  {
    name: 'address',
    when: ({ isSettledByConfig }) => isSettledByConfig,
    hasHints: true,
    headline: headlineOfChange,
    // The hint on the address says all that there is to do.
    advice: () => '',
    cause: ({ closest }) => ({ group: 'error', key: keyOf(closest!.changes) }),
  },
  {
    name: 'one-more',
    when: ({ session, closest }) =>
      session.unused.length === 0 && !closest!.suggestion && !closest!.identity,
    hasHints: true,
    headline: headlineOfOneMore,
    advice: adviseOnChange,
    cause: causeOfChange,
  },
  {
    name: 'imported',
    when: ({ closest }) => isUnaskedExchange(closest!.recorded),
    headline(facts) {
      const { closest, session, incoming } = facts
      const { exchange, incoming: known } = closest!.recorded
      return findUnasked(session, incoming)
        ? `Nobody knows the prompt of ${exchange.id}: it was imported from ${known!.wire.imported!.from}, which kept none`
        : `${askedBy(facts)} fits none of the exchanges that were imported without a prompt`
    },
    advice: adviseOnChange,
  },
  {
    name: 'volatile',
    when: ({ closest }) => closest!.suggestion !== undefined,
    hasHints: true,
    headline: (facts) => `${headlineOfSuggestion(facts.closest!.suggestion!)}: ${changesOf(facts)}`,
    advice: adviseOnChange,
    cause: causeOfChange,
  },
  {
    name: 'identity',
    when: ({ closest }) => closest!.identity === true,
    hasHints: true,
    headline: (facts) => `${askedBy(facts)} changed only in which of its volatile values are equal`,
    advice: adviseOnChange,
    cause: causeOfChange,
  },
  {
    name: 'changed',
    when: () => true,
    hasHints: true,
    headline: headlineOfChange,
    advice: adviseOnChange,
    cause: causeOfChange,
  },
]

/** The kinds of requests that no exchange answers. The first that holds is the kind of a miss. */
export const MISSES: ReadonlyArray<FailureKind<MissFacts>> = ROWS.map(
  ({ hasHints = false, advice, ...row }) => ({
    ...row,
    code: 'miss',
    details: (facts) => describeMiss(facts, hasHints),
    advice: (facts) =>
      [row.name === 'misplaced' ? '' : adviseElsewhere(facts.elsewhere), advice!(facts)]
        .filter((text) => text !== '')
        .join('\n\n'),
    more: (facts) => ({
      ...moreOfMiss(facts),
      notes: [...notesOfMiss(facts), noteElsewhere(facts.elsewhere)],
    }),
  }),
)

const NOTHING = 'Nothing is recorded for this test'

/** What a test does that starts a program. */
export const WAIT_FOR_EXIT = "Of a program, wait for its end: await once(child, 'exit')."

function askedBy({ incoming }: MissFacts): string {
  return isMcpAddress(incoming.wire.url) ? 'The call of an MCP server' : 'The prompt'
}

function headlineOfOneMore(facts: MissFacts): string {
  const { length } = facts.session.recorded
  return `${askedBy(facts)} is one more than recorded: ${length} of ${countOf(length, 'exchange')} already played`
}

function headlineOfChange(facts: MissFacts): string {
  return `${askedBy(facts)} changed: ${changesOf(facts)}`
}

function changesOf({ closest }: MissFacts): string {
  const { changes } = closest!
  return changes.length > 0 ? summarizeChanges(changes) : 'a part that is not shown'
}

function recordIfMeant({ session, record }: MissFacts): string {
  return `If the change is meant, record this ${askerOf(session.test)} again:${record}`
}

function adviseToRecord({ session, record }: MissFacts): string {
  return `Record this ${askerOf(session.test)}, and commit its cassette:${record}`
}

function adviseOnWritten({ written, incoming, session, record }: MissFacts, isRepeat: boolean) {
  const advice = adviseWriter(written!.exchange, incoming, isRepeat, session.test.cassette)
  return `${advice}\nOr record the ${askerOf(session.test)} in its place:${record}`
}

function adviseOnChange({ session, miss, closest, isCompared, keeps }: MissFacts): string {
  const what = isCompared ? 'If the change is meant' : 'To settle it'
  const ways = renderWays(waysOut(session, miss, keeps))
  const { changes } = closest!
  const isSorted = changes.length > 0 && changes.every(isOrder)
  return `${isSorted ? SORTED : ''}${what}, ${ways}`
}

const SORTED =
  'If nobody changed the order, a formatter or linter may have sorted the keys of the cassette. To check:\n' +
  '  npx vitest-cassette verify\n'

function isOrder({ place }: PromptChange): boolean {
  return 'path' in place && place.path.endsWith('(order)')
}

/** A queue that one test has started can also ask for another one. */
function adviseOnQueue({ miss: { running = [] } }: MissFacts): string {
  return running
    .map(
      ({ id, recordCommand }) =>
        `\nIf a queue or a loop asks for "${printable(id)}", which was running, record that test:` +
        `\n  ${paint.bold(recordCommand)}`,
    )
    .join('')
}

function causeOf({ session }: MissFacts, group: FailureGroup, key?: string): Cause {
  const took = tookOf(exchangesStillAsked(session), session)
  return { group, ...(key === undefined ? {} : { key }), took, keeps: false }
}

/** Other prompts can have changed in the same way. */
function causeOfChange(facts: MissFacts): Cause | undefined {
  const { closest, known, miss, answering } = facts
  const isOther = miss.reason === 'unmatched' && answering === 0 && known !== undefined
  if (!isOther || closest!.changes.length === 0) return undefined
  return { ...causeOf(facts, 'changed', keyOf(closest!.changes)), keeps: facts.keeps }
}

/**
 * A key of the whole diff, so that no other change hides behind the headline. Of texts only the changed lines count:
 * prompts that share a rule have different texts around it, and digests of their own.
 */
function keyOf(changes: readonly PromptChange[]): string {
  const own = changes.filter((change) => !isDerived(change))
  const lines = (own.length > 0 ? own : changes).flatMap(({ kind, place, ...contents }) =>
    splitText(makeChange({ kind, place: { of: 'prompt', inside: place }, ...contents })),
  )
  return sha256([...new Set(lines.map(({ key }) => key))].sort().join())
}
