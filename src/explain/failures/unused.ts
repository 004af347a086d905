import { isRecorded } from '../../cassette/cassette.ts'
import { spellFault } from '../../config/fault.ts'
import { sendsNothing } from '../../config/mode.ts'
import type { Session } from '../../engine/session.ts'
import { replaying } from '../../text/command-line.ts'
import { printable } from '../../text/printable.ts'
import { adviseCache, type RecordedElsewhere } from '../elsewhere.ts'
import { missingKeys } from '../facts/provider-keys.ts'
import type { FailureKind } from '../failure.ts'
import { askerOf, describeExchange, labelled, labelTest, paint } from '../labelled.ts'
import { howToRecord, renderWays, tookOf, waysToAskLess } from '../ways-out.ts'
import { describeEnded, endedPrograms } from './ended-programs.ts'

/** What is known of an attempt that replayed. */
export interface UnusedFacts {
  session: Session
  /** Where the first recorded prompt is recorded too, if the test asked nothing. */
  elsewhere: RecordedElsewhere | undefined
}

/** A declared fault that never happened: the test did not try it. */
export const FAULTS: ReadonlyArray<FailureKind<{ session: Session }>> = [
  {
    name: 'faults-missing',
    code: 'unused',
    when: ({ session }) => (session.faults?.missing.length ?? 0) > 0,
    headline: ({ session }) =>
      `The test declares faults that never happened: ${session.faults!.missing.map(spellFault).join(', ')}`,
    details: ({ session }) => [
      labelTest(session.test).join('\n'),
      'A fault happens to an answer that is replayed; a cut needs a stream with more events than it lets through.',
    ],
  },
]

/** Exchanges that a test did not ask for. */
export const UNUSED: ReadonlyArray<FailureKind<UnusedFacts>> = [
  {
    name: 'unused',
    code: 'unused',
    when: ({ session }) => session.unused.length > 0,
    headline: ({ session }) =>
      [
        `Not asked for: ${session.unused.length} of ${session.recorded.length} recorded exchanges`,
        ...endedPrograms(session),
      ].join('; '),
    details: ({ session }) => [
      labelTest(session.test).join('\n'),
      session.unused.map((entry) => labelled('unused', describeExchange(entry))).join('\n'),
    ],
    advice({ session, elsewhere }) {
      if (elsewhere?.in === 'other-test')
        // Whoever deletes the cassette misses as soon as the test runs alone.
        return `The test asked no model.\n${adviseCache(elsewhere)}\nDo not delete the cassette for this: alone, the test asks.`
      return adviseOnUnused(session)
    },
    more: ({ session }) => ({ ended: endedPrograms(session) }),
  },
]

function adviseOnUnused(session: Session): string {
  const { test, recorded, unused, config } = session
  const keys = sendsNothing(config.mode) ? [] : keysMissing(session)
  if (keys.length > 0)
    return `Recording asks the provider itself, and no key is set here, so its application may have asked nothing: set ${keys.join(' or ')}.`
  const failed = describeEnded(session)
  if (unused.length === recorded.length) {
    const why = failed || adviseSilent(test, recorded.length)
    return `${why}\nOnly if it is meant to ask none, delete the cassette:\n  ${paint.bold(`rm ${test.cassette}`)}`
  }
  const asker = askerOf(test)
  if (unused.some(({ exchange }) => !isRecorded(exchange)))
    return `If the ${asker} is meant to send fewer requests, delete the others from the cassette.`
  const lead = failed ? `${failed}\nOnly if` : `${advisePart(test)}If`
  return `${lead} the ${asker} is meant to ask less, ${renderWays(waysToAskLess(session))}`
}

/** The keys without which an application may have asked for none of its exchanges. */
function keysMissing({ unused }: Session): readonly string[] {
  const [first] = unused.flatMap(({ incoming }) => incoming ?? [])
  return first ? missingKeys(first) : []
}

/** How to keep the exchanges of a program's other parts when only one part ran. Tests have a cassette each. */
function advisePart({ optionsOf, recordCommand }: Session['test']): string {
  const leaves = 'If only a part of it ran, leave the others as they are'
  if (optionsOf === 'openCassette') return `${leaves}: openCassette({ …, unused: 'warn' })\n`
  if (optionsOf !== 'command') return ''
  const plain = replaying(recordCommand).replace(' --unused fail', '')
  const words = plain.replace(/^npx vitest-cassette \w+/, '$& --unused warn')
  // A command of others, which `run --listen` was told.
  if (words === plain) return `${leaves}: give vitest-cassette run --listen --unused warn\n`
  return `${leaves}:\n  ${paint.bold(words)}\n`
}

/** Why nothing may have been asked. */
function adviseSilent({ optionsOf }: Session['test'], count: number): string {
  if (optionsOf === 'command')
    return 'The program asked no model. It may have ended before it asked, or it asked at a host that is not known as that of a model: name it with --hosts.'
  if (optionsOf === 'openCassette')
    return 'The program asked no model before close(). If it asks later (in a queue, after its response), let it wait for that before it closes the cassette.'
  const asksLater =
    'The test asked no model. If its application asks after the test has ended (in a queue, after its response), let the test wait'
  const wait =
    optionsOf === 'runner'
      ? `${asksLater} for that.`
      : `${asksLater}:\n  await expect.poll(() => cassette.exchanges.length).toBe(${count})`
  return `${wait}\nIf a cache of its application answered, as that of Next keeps answers between runs, turn it off in tests.`
}

/** Recordings that are no longer valid, though all requests were answered from them. */
export const INVALID: ReadonlyArray<FailureKind<{ session: Session }>> = [
  {
    name: 'invalid',
    code: 'invalid-recording',
    when: ({ session }) => session.validity.isInvalid && session.config.invalid === 'fail',
    headline({ session }) {
      const [{ strategy, reason }, ...more] = invalidIn(session) as [Verdicts[number], ...Verdicts]
      const others = more.length > 0 ? `, and ${more.length} more` : ''
      return printable(`The recording is no longer valid: ${strategy}: ${reason}${others}`)
    },
    details: ({ session: { test, validity } }) => [
      labelTest(test).join('\n'),
      validity.verdicts
        .map((verdict) => {
          const mark = verdict.valid ? paint.green('✓') : paint.red('×')
          return `  ${mark} ${verdict.strategy}: ${printable(verdict.reason)}`
        })
        .join('\n'),
    ],
    advice({ session }) {
      const { test } = session
      const isMarked = invalidIn(session).some(({ strategy }) => strategy === 'mark')
      const undo = `npx vitest-cassette invalidate --undo ${test.cassette}`
      return [
        `${howToRecord('it', lasts(session))}:\n  ${paint.bold(test.recordCommand)}`,
        ...(isMarked ? [`Or, if it is valid after all:\n  ${paint.bold(undo)}`] : []),
      ].join('\n')
    },
    cause: ({ session }) => ({
      group: 'invalid',
      key: ['invalid', ...invalidIn(session).map(({ strategy }) => strategy)].join(' '),
      keeps: false,
      lasts: lasts(session),
      took: tookOf(session.recorded, session),
    }),
  },
]

type Verdicts = Session['validity']['verdicts']

function invalidIn({ validity }: Session): Verdicts {
  return validity.verdicts.filter(({ valid }) => !valid)
}

function lasts(session: Session): boolean {
  return invalidIn(session).some((verdict) => verdict.lasts)
}
