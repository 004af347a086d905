import { stripVTControlCharacters } from 'node:util'
import { type Cassette, isRecorded } from '../cassette/cassette.ts'
import type { MergeCassettes } from '../cassette/store.ts'
import { spellFault } from '../config/fault.ts'
import { sendsNothing } from '../config/mode.ts'
import { summarizeChanges } from '../diff/describe-change.ts'
import { renderChanges } from '../diff/render-changes.ts'
import { dialectFor } from '../engine/read-prompt.ts'
import type { Recorded } from '../engine/recorded.ts'
import { isPaid, lastWordFailures, type Recording } from '../engine/recording.ts'
import type { Session } from '../engine/session.ts'
import type { ErrorCode } from '../errors.ts'
import { assembleCassette, dropped, keepsAnswers, respelledIn } from '../recording/assemble.ts'
import { mergerOf } from '../recording/merger.ts'
import { isOdd, type OddExchange } from '../recording/odd-answers.ts'
import { replaying } from '../text/command-line.ts'
import { countOf } from '../text/count-of.ts'
import { printable } from '../text/printable.ts'
import { isMcpAddress } from '../wire/address.ts'
import { explainPictures } from './advice/explain-pictures.ts'
import { missingKeys, refusedKey } from './advice/provider-keys.ts'
import { type HandOver, handOversOf } from './advice/hand-over.ts'
import { explainOdd, oddAnswersOf, tellOdd } from './advice/explain-odd.ts'
import { causeOfError } from './cause.ts'
import { changesBetween } from './closest.ts'
import { explainUndeclared } from './diagnose.ts'
import { explainInvalid } from './explain-invalid.ts'
import { describeEnded, endedPrograms } from './advice/ended-programs.ts'
import { explainMiss, type Explanation } from './explain-miss.ts'
import { isSettledByRecording } from './kind-of-cause.ts'
import {
  askerOf,
  describeExchange,
  inColors,
  labelled,
  labelRequest,
  labelTest,
  LEFT,
  paint,
} from './labelled.ts'
import { renderWays, waysToAskLess } from './ways-out.ts'

/** How an attempt ended, as far as its runner can tell. */
export interface AttemptOutcome {
  /** True where the test passed, apart from its requests. */
  passed: boolean
  /** What failed, if it was no test: 'the program failed'. */
  failed?: string | undefined
  /** True where some code that can make requests did not run: unused exchanges are then no failure. */
  partial?: boolean
  /** True where the test is tried again if it fails: only the last attempt reports. */
  isTriedAgain?: boolean
  now: Date
  color: boolean
}

/** The consequences of an attempt. At most one of `failure` and `save` is there. */
export interface Verdict {
  failure?: Failure
  /** Text for the user that fails nothing. */
  warning?: string
  /** The recording that becomes the cassette. */
  save?: Cassette
  /** True where `save` replaces an invalid recording as a whole. */
  renews?: boolean
  /** Keeps the unchanged parts of the old cassette; absent where `save` replaces all of it. */
  merge?: MergeCassettes
  /** A paid recording that may not become the cassette, kept outside git. */
  park?: Cassette
  /** True where `park` holds nothing that `recover` takes: a credential, or only errors that recording refuses. */
  isUseless?: boolean
  /** How many exchanges the attempt should have asked for and did not. */
  unused?: number
  /** How many requests of `save` are spelled as they are sent now. */
  respelled?: number
  /** Tells which exchanges of `save` are stored as raw bytes, since they could not be read back. */
  raw?: string
  /** The values of its prompts that vary, by the rule that declares each. */
  varying?: Array<{ rule: 'date-phrase' | 'tmp-path'; text: string }>
  /** Explains where conversations left their recording. */
  handOvers?: Explanation[]
  /** The answers of `save` that somebody should look at, and that the recording before did not have. */
  odd?: readonly OddExchange[]
}

export interface Failure extends Explanation {
  code: ErrorCode
  /** The key that the provider refused, with the status. */
  refused?: string
  callSite?: Error
}

/** Judges an attempt whose answers have all ended. */
export function judgeAttempt(session: Session, outcome: AttemptOutcome): Verdict {
  const verdict = judge(session, outcome)
  const { failure, handOvers, warning } = verdict
  if (outcome.color) return verdict
  return {
    ...verdict,
    ...(failure ? { failure: inColors(failure, false) } : {}),
    ...(handOvers ? { handOvers: handOvers.map((one) => inColors(one, false)) } : {}),
    ...(warning ? { warning: stripVTControlCharacters(warning) } : {}),
  }
}

function judge(session: Session, outcome: AttemptOutcome): Verdict {
  const recordings = session.asked.flatMap(({ recording }) => recording ?? [])
  // An attempt that renews its recording leaves no recorded conversation.
  const handOvers = session.validity.renews ? [] : handOversOf(session)
  // If the first prompt differs, the recorded conversation is a guess by similarity, so it is kept.
  const stale = handOvers.flatMap(({ at, stale }) => (at > 1 ? stale : []))
  const cassette = assembleCassette(session, outcome.now, outcome.partial ? stale : undefined)
  const odd = oddAnswersOf(session, recordings, cassette)
  // That an answer is odd may be why a test failed.
  const refused = outcome.passed ? odd.replacing : [...odd.replacing, ...odd.beside]
  const failure = failureOf(session, recordings, refused, outcome)
  const isSaved = !failure && outcome.passed
  const left =
    handOvers.length === 0
      ? {}
      : {
          handOvers: handOvers.map((one) => explainHandOver(session, one, isSaved, outcome.color)),
        }
  if (!isSaved) {
    // Without a paid answer there is nothing to park, but a test that survives an error can be meant to.
    const isWorth = outcome.passed ? recordings.length > 0 : recordings.some(isPaid)
    if (!cassette || !isWorth) return { failure, ...left }
    const isUseless = failure?.code === 'secret' || cassette.exchanges.every(isOdd)
    return { failure, park: cassette, isUseless, ...left }
  }
  const { size: respelled } = respelledIn(session)
  // An answer is kept only if the test makes all recorded requests, and a request is respelled only if it passes.
  const isToMake = keepsAnswers(session) || respelled > 0
  const made = isToMake ? (judgeFaults(session, outcome) ?? judgeUnused(session, outcome)) : {}
  if (made.failure) return made
  const replaced = new Set(handOvers.flatMap((one) => one.stale))
  const leftOut = outcome.partial ? [] : dropped(session).filter((one) => !replaced.has(one))
  const warning = cassette && warnOfRecording(session, cassette, leftOut, odd.beside)
  if (cassette) {
    const renews = session.validity.renews && !outcome.partial
    const merge = mergerOf(session, renews, outcome.partial)
    const told = odd.beside.length > 0 ? { odd: odd.beside } : {}
    const spelled = respelled > 0 ? { respelled } : {}
    const said = { ...left, ...told, ...spelled, ...(warning ? { warning } : {}) }
    return { ...made, save: cassette, renews, merge, ...said }
  }
  const verdict = judgeFaults(session, outcome) ?? judgeUnused(session, outcome)
  const isFailure =
    session.validity.isInvalid && session.config.invalid === 'fail' && !outcome.partial
  if (verdict.failure || !isFailure) return verdict
  return {
    ...verdict,
    failure: { code: 'invalid-recording', ...explainInvalid(session) },
  }
}

function failureOf(
  session: Session,
  recordings: Recording[],
  [odd]: readonly OddExchange[],
  outcome: AttemptOutcome,
): Failure | undefined {
  const [miss] = session.misses
  if (session.fault) {
    const callSite = session.fault.code === 'refused' ? session.fault : miss?.callSite
    return { ...explainFault(session), callSite }
  }
  if (miss)
    return { code: 'miss', ...explainMiss(session, miss, outcome.color), callSite: miss.callSite }
  const undeclared = explainUndeclared(session)
  if (undeclared) return { code: 'miss', ...undeclared }
  // Also if the test itself has failed, since an unreachable provider explains its error.
  const unreachable = recordings.find(({ error }) => error)
  if (unreachable) return explainUnreachable(session, unreachable)
  // An application that goes on without the answer fails its test with an assertion that does not name the error.
  const [failed] = session.config.recordErrors ? [] : lastWordFailures(recordings)
  if (failed) return explainFailedAnswer(session, failed)
  if (odd) return explainOdd(session, odd, recordings, outcome.passed)
  return outcome.passed ? undefined : explainLeftOut(session)
}

/** Fails a test with a declared fault that never happened: it did not try the fault. */
function judgeFaults(session: Session, { partial }: AttemptOutcome): Verdict | undefined {
  const { test, faults } = session
  if (!faults) return undefined
  const missing = partial ? [] : faults.missing
  if (missing.length > 0) {
    const headline = `The test declares faults that never happened: ${missing.map(spellFault).join(', ')}`
    const details = [
      ...labelTest(test),
      '',
      'A fault happens to an answer that is replayed; a cut needs a stream with more events than it lets through.',
    ].join('\n')
    return { failure: { code: 'unused', headline, details } }
  }
  // A client without an answer sends no further request.
  return faults.haveSpoiled ? {} : undefined
}

function judgeUnused(session: Session, { partial }: AttemptOutcome): Verdict {
  const { unused } = session
  if (partial || unused.length === 0 || session.config.mode === 'off') return {}
  const ended = endedPrograms(session)
  const headline = [
    `Not asked for: ${unused.length} of ${session.recorded.length} recorded exchanges`,
    ...ended,
  ].join('; ')
  const details = [
    labelTest(session.test).join('\n'),
    unused.map((entry) => labelled('unused', describeExchange(entry))).join('\n'),
    adviseOnUnused(session),
  ].join('\n\n')
  if (session.config.unused === 'warn' && !keepsAnswers(session))
    return { warning: `${headline}\n${details}`, unused: unused.length }
  return { failure: { code: 'unused', headline, details, ended }, unused: unused.length }
}

function adviseOnUnused(session: Session): string {
  const { test, recorded, unused, config } = session
  const keys = sendsNothing(config.mode) ? [] : keysMissing(unused)
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
function keysMissing(unused: readonly Recorded[]): readonly string[] {
  const [first] = unused.flatMap(({ incoming }) => incoming ?? [])
  return first ? missingKeys(first) : []
}

/** How to leave the exchanges of the other parts of a program, of which only a part ran. Tests have a cassette each. */
function advisePart({ optionsOf, recordCommand }: Session['test']): string {
  const leaves = 'If only a part of it ran, leave the others as they are'
  if (optionsOf === 'openCassette') return `${leaves}: openCassette({ …, unused: 'warn' })\n`
  if (optionsOf !== 'command') return ''
  const plain = replaying(recordCommand).replace(' --unused fail', '')
  const words = plain.replace(/^npx vitest-cassette \w+/, '$& --unused warn')
  // A command of others, which `serve` was told.
  if (words === plain) return `${leaves}: give vitest-cassette serve --unused warn\n`
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

function explainFault({ fault, test }: Session): Failure {
  const [headline, ...rest] = printable(fault!.message).split('\n')
  const details = [labelled('test', test.id), '', ...rest]
  const { code } = fault!
  if (isSettledByRecording(code)) details.push(`  ${paint.bold(test.recordCommand)}`)
  const failure = { code, headline: headline!, details: details.join('\n') }
  if (code !== 'recording-refused') return failure
  // The first line is about the call, the others about what to do.
  return { ...failure, cause: causeOfError(headline!, details.slice(3).join('\n')) }
}

function explainUnreachable({ test }: Session, { incoming, error, callSite }: Recording): Failure {
  const why = error!.cause instanceof Error ? `: ${error!.cause.message}` : ''
  const server = isMcpAddress(incoming.wire.url) ? 'MCP server' : 'provider'
  const headline = `The ${server} could not be reached (${error!.message}${why}), so nothing was recorded`
  const command = paint.bold(test.recordCommand)
  const advice = why.includes('[MSW]')
    ? adviseMsw(incoming.wire.url)
    : `Record this test again when it can be reached:\n  ${command}`
  return {
    code: 'recording-failed',
    callSite,
    headline,
    details: [labelRequest(incoming), ...labelTest(test, LEFT), '', advice].join('\n'),
    cause: causeOfError(headline, advice),
  }
}

/** An MSW server of the user that treats unknown requests as errors also does so for those of a recording. */
function adviseMsw(url: string): string {
  const handler = `http.all('${new URL(url).origin}/*', () => passthrough())`
  return `An MSW server of your own treats it as an error. Let it pass there:\n  ${handler}`
}

function explainFailedAnswer({ test }: Session, recording: Recording): Failure {
  const { incoming, response, callSite } = recording
  const { status } = response!
  const said = dialectFor(incoming).readCompletion(response!).error
  const refused = refusedKey(recording)
  const who = refused === undefined ? 'The provider' : `The provider refused ${refused.name}: it`
  const headline = `${who} answered ${status}, which is not saved as its last word`
  return {
    code: 'recording-failed',
    callSite,
    headline,
    details: [
      labelRequest(incoming),
      labelled('answer', said ?? `status ${status}`),
      ...labelTest(test, LEFT),
      '',
      refused === undefined
        ? `If the ${askerOf(test)} needs this error, as that of a fallback does, set the option recordErrors: true.`
        : `${refused.advice} Only if the ${askerOf(test)} is about this error, set the option recordErrors: true.`,
    ].join('\n'),
    ...(refused === undefined
      ? {}
      : { refused: `${refused.name} (${status})`, cause: causeOfError(headline, '') }),
  }
}

/**
 * Says where a conversation left its recording, with the diff of the prompt that differed.
 *
 * @param saved false where the attempt failed, so that the old recording stays
 */
function explainHandOver(
  session: Session,
  { incoming, recorded, at, of, stale }: HandOver,
  saved: boolean,
  color: boolean,
): Explanation {
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
    details: [
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
function warnOfRecording(
  session: Session,
  cassette: Cassette,
  leftOut: readonly Recorded[],
  odd: readonly OddExchange[],
): string | undefined {
  const warnings = [
    // The summary of Vitest tells it.
    ...(session.test.optionsOf === undefined ? [] : tellOdd(session, odd)),
    ...warnOfParams(session, cassette),
    ...warnOfFaults(session),
    ...warnOfDropped(session, leftOut),
  ]
  return warnings.length > 0 ? printable(warnings.join('\n')) : undefined
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

function warnOfDropped(session: Session, leftOut: readonly Recorded[]): string[] {
  if (leftOut.length === 0) return []
  const { test, recorded } = session
  return [
    `[vitest-cassette] Dropped ${leftOut.length} of ${countOf(recorded.length, 'recorded exchange')} of "${test.id}", which did not ask for them:`,
    ...leftOut.map((entry) => `  ${describeExchange(entry)}`),
    ...endedPrograms(session).map((one) => `A program of it failed, which may be why: ${one}`),
  ]
}

/** The faults of a test that could not happen, since its answers were kept as they came. */
function faultsLeftOut({ config, faults, asked }: Session): string {
  return faults || asked.length === 0 ? '' : config.faults.map(spellFault).join(', ')
}

/** Why a test may have failed that asserts what its application does when something goes wrong. */
function explainLeftOut(session: Session): Failure | undefined {
  const left = faultsLeftOut(session)
  if (left === '') return undefined
  const isRecorded = session.asked.some(({ recording }) => recording)
  const way = isRecorded
    ? `accept the answers, and run it again without RECORD:\n  ${paint.bold('npx vitest-cassette review')}`
    : 'run it again without RECORD.'
  return {
    code: 'unused',
    headline: `Its faults were left out while recording, so what it asserts of them could not hold: ${left}`,
    details: [...labelTest(session.test, LEFT), '', `If nothing else failed, ${way}`].join('\n'),
  }
}

function warnOfFaults(session: Session): string[] {
  const left = faultsLeftOut(session)
  if (left === '') return []
  return [
    `[vitest-cassette] Left out while recording "${session.test.id}", as faults happen to recorded answers alone: ${left}`,
  ]
}
