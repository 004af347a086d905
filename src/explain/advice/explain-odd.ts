import { type Cassette, isRecorded } from '../../cassette/cassette.ts'
import type { Recording } from '../../engine/recording.ts'
import type { Session } from '../../engine/session.ts'
import {
  findOdd,
  type OddAnswers,
  type OddExchange,
  type Oddity,
} from '../../recording/odd-answers.ts'
import { safe } from '../../secrets/notes.ts'
import { printable } from '../../text/printable.ts'
import { isMcpAddress } from '../../wire/address.ts'
import { causeOfError } from '../cause.ts'
import type { Failure } from '../judge-attempt.ts'
import { askerOf, labelled, labelTest, LEFT, paint } from '../labelled.ts'

const NONE: OddAnswers = { replacing: [], beside: [] }

/** The odd answers of a recording. The option `recordErrors` says that errors are meant, and that anything may replace. */
export function oddAnswersOf(
  { cassette: before, config }: Session,
  recordings: readonly Recording[],
  fresh: Cassette | undefined,
): OddAnswers {
  if (!fresh || recordings.length === 0) return NONE
  const odd = findOdd(fresh, before)
  if (!config.recordErrors) return odd
  const all = [...odd.replacing, ...odd.beside]
  return { replacing: [], beside: all.filter(({ kind }) => kind !== 'error') }
}

/** What is said of an answer of each kind. */
const SAID: Record<Oddity['kind'], (what: string, who: string) => string> = {
  error: (what, who) => `The ${who} answered ${what.split(' ')[0]}`,
  broken: (_, who) => `The ${who} stopped in the middle of its answer`,
  foreign: (what, who) => `The ${who} answered with ${what}, which no model writes`,
}

/**
 * Explains an odd answer that is not saved.
 *
 * @param passed false where the test failed, so that no answer is saved
 */
export function explainOdd(
  { test }: Session,
  { exchange, kind, what }: OddExchange,
  recordings: readonly Recording[],
  passed: boolean,
): Failure {
  const { request, response } = isRecorded(exchange)
    ? exchange.wire
    : { request: undefined, response: undefined }
  const recording = recordings.find((one) => one.response === response)
  const url = request?.url ?? ''
  const said = SAID[kind](what, isMcpAddress(url) ? 'server' : 'provider')
  const headline = passed ? `${said}, which is not saved in the place of a good answer` : said
  const advice = [
    'Look at the address, the model and the answer above. Then record again:',
    `  ${paint.bold(test.recordCommand)}`,
    ...(passed
      ? [
          `Only if the ${askerOf(test)} is about this answer, delete the old recording first:`,
          `  ${paint.bold(`rm ${test.cassette}`)}`,
        ]
      : []),
  ].join('\n')
  return {
    code: 'recording-failed',
    callSite: recording?.callSite,
    headline,
    details: [
      labelled('request', printable(`${request?.method ?? ''} ${url}`)),
      labelled('answer', shownAnswer(exchange, what)),
      ...labelTest(test, LEFT),
      '',
      advice,
    ].join('\n'),
    cause: causeOfError(`${headline}: ${what}`, advice),
  }
}

/** The most characters of an answer that are shown. */
const MAX_SHOWN = 200

function shownAnswer({ response }: OddExchange['exchange'], what: string): string {
  const said = safe(what || response.text)
  const text = printable(said.replace(/\s+/g, ' ').trim())
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text || 'empty'
}

/** The odd answers that were saved, for a person who can look at them. */
export function tellOdd({ test }: Session, odd: readonly OddExchange[]): string[] {
  return odd.map(
    ({ exchange, ...oddity }) =>
      `[vitest-cassette] ${test.cassette}: ${exchange.id} ${describeOddity(oddity)}. If it is not meant, record it again.`,
  )
}

/** What is odd about an answer, after its name: `is an error: 404 Not found`. */
export function describeOddity({ kind, what }: Oddity): string {
  if (kind === 'error') return `is an error: ${what}`
  return kind === 'broken' ? 'stops before its end' : `is nothing that a model writes: ${what}`
}
