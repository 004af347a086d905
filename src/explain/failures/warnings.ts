import type { Cassette } from '../../cassette/cassette.ts'
import { summarizeChanges } from '../../diff/describe-change.ts'
import { renderChanges } from '../../diff/render-changes.ts'
import type { Recorded } from '../../engine/recorded.ts'
import type { Session } from '../../engine/session.ts'
import type { OddExchange, Oddity } from '../../recording/odd-answers.ts'
import { countOf } from '../../text/count-of.ts'
import { printable } from '../../text/printable.ts'
import { changesBetween } from '../closest.ts'
import { faultsLeftOut } from '../facts/faults-left-out.ts'
import type { HandOver } from '../facts/hand-over.ts'
import { endedPrograms } from './ended-programs.ts'
import { explainPictures, type PictureFile } from './pictures.ts'
import { describeExchange, labelled, labelRequest, labelTest, LEFT } from '../labelled.ts'

/** Where a conversation left its recording. */
export interface ToldHandOver {
  /** Begins with a verb: of what, its reader knows. */
  headline: string
  text: string
  /** Pictures that the text names, to be kept outside git. */
  pictures?: PictureFile[] | undefined
}

/**
 * Says where a conversation left its recording, with the diff of the prompt that differed.
 *
 * @param saved false where the attempt failed, so that the old recording stays
 */
export function tellHandOver(
  session: Session,
  { incoming, recorded, at, of, stale }: HandOver,
  saved: boolean,
  color: boolean,
): ToldHandOver {
  const { test } = session
  const pictures = recorded && explainPictures(session, recorded, incoming)
  const changes = recorded ? changesBetween(session, recorded, incoming) : []
  const place = recorded
    ? `left its recording at exchange ${at} of ${of}`
    : `went on after the ${countOf(of, 'exchange')} of its recording`
  const left = recorded && `${recorded.exchange.id}, ${effectOf(stale.length, saved)}`
  const diff = changes.length > 0 ? ['', renderChanges(changes, { color })] : []
  const headline = `${place}${changes.length > 0 ? `: ${summarizeChanges(changes)}` : ''}`
  return {
    headline,
    text: [
      `[vitest-cassette] The conversation ${headline}`,
      labelRequest(incoming),
      ...labelTest(test, saved ? '' : LEFT),
      ...(left ? [labelled('left', left)] : []),
      ...diff,
      ...(pictures ? ['', pictures.text] : []),
    ].join('\n'),
    pictures: pictures?.files,
  }
}

function effectOf(stale: number, saved: boolean): string {
  const gone = countOf(stale, 'recorded exchange')
  return saved
    ? `${gone} replaced by the recording of this run`
    : `${gone} would have been replaced`
}

/**
 * The warnings about a recording for the author of its test; `undefined` where there are none.
 *
 * @param leftOut the old exchanges that the recording drops
 */
export function warnOfRecording(
  session: Session,
  cassette: Cassette,
  leftOut: readonly Recorded[],
  odd: readonly OddExchange[],
): string | undefined {
  const warnings = [
    // The summary of Vitest tells it.
    ...(session.test.optionsOf === undefined ? [] : warnOfOdd(session, odd)),
    ...warnOfParams(session, cassette),
    ...warnOfFaults(session),
    ...warnOfDropped(session, leftOut),
  ]
  return warnings.length > 0 ? printable(warnings.join('\n')) : undefined
}

function warnOfOdd({ test }: Session, odd: readonly OddExchange[]): string[] {
  return odd.map(
    ({ exchange, ...oddity }) =>
      `[vitest-cassette] ${test.cassette}: ${exchange.id} ${describeOddity(oddity)}. If it is not meant, record it again.`,
  )
}

/** What is odd about an answer, after its name: `is an error: 404 Not found`. */
function describeOddity({ kind, what }: Oddity): string {
  if (kind === 'error') return `is an error: ${what}`
  return kind === 'broken' ? 'stops before its end' : `is nothing that a model writes: ${what}`
}

/** Warns of parameters that occur nowhere: the value is sent in another form than declared, or not at all. */
function warnOfParams({ params, test }: Session, cassette: Cassette): string[] {
  const nowhere = Object.entries(params.values).filter(
    ([name]) => !Object.hasOwn(cassette.params ?? {}, name),
  )
  if (nowhere.length === 0) return []
  const said = nowhere.map(([name, value]) => `${name} (${JSON.stringify(value)})`).join(', ')
  return [
    `[vitest-cassette] ${test.cassette}: no request or answer of the test "${test.id}" contains ${said}, declared with cassette.params().`,
  ]
}

function warnOfFaults(session: Session): string[] {
  const left = faultsLeftOut(session)
  if (left === '') return []
  return [
    `[vitest-cassette] Left out while recording "${session.test.id}", as faults happen to recorded answers alone: ${left}`,
  ]
}

function warnOfDropped(session: Session, leftOut: readonly Recorded[]): string[] {
  if (leftOut.length === 0) return []
  const { test, recorded } = session
  return [
    `[vitest-cassette] Dropped ${leftOut.length} of ${countOf(recorded.length, 'recorded exchange')} of "${test.id}", which did not ask for them:`,
    ...leftOut.map((entry) => `  ${describeExchange(entry)}`),
    ...endedPrograms(session).map((one) => `A program of it failed, which may be why: ${one}`),
  ]
}
