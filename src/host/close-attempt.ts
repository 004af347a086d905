import { sendsNothing } from '../config/mode.ts'
import type { ErrorCode } from '../errors.ts'
import { loadExplain } from './load-explain.ts'
import type { Failure, AttemptOutcome, Verdict } from '../explain/judge-attempt.ts'
import type { TestIdentity } from '../engine/session-options.ts'
import { labelTest } from '../explain/labelled.ts'
import { isDiscarded } from './run-channel.ts'
import { askForParams, type AskInside } from './ask-for-params.ts'
import { journalOf, storeOf } from './stores-of-attempt.ts'
import type { Ended, OpenSession } from './owner.ts'
import { reportAsked, reportDiagnosis } from './report-diagnosis.ts'

/**
 * Judges an attempt whose answers have all ended, and writes its recording.
 *
 * @param askInside runs a function of the user whose requests belong to another attempt
 */
export async function closeAttempt(
  open: OpenSession,
  outcome: AttemptOutcome,
  askInside: AskInside,
): Promise<Ended> {
  const { session } = open
  const { mode, params, doctor, doctorAsked } = session.config
  const judged = await loadExplain().judgeWhole(session, outcome)
  const verdict = isDiscarded(session.config.recordRun) ? withoutRecording(judged) : judged
  if (verdict.save && params.strategy === 'llm' && !sendsNothing(mode))
    verdict.save = await askForParams(open, verdict.save, outcome, askInside)
  await keepPictures(open, verdict)
  const written = await write(open, verdict, outcome)
  const failure = written.failure && withoutSecretsIn(written.failure)
  const isFailed = failure !== undefined || !outcome.passed
  if (isFailed && outcome.isTriedAgain) return { failure, verdict }
  for (const text of textsOf(verdict, written)) console.warn(text)
  if (doctorAsked) reportAsked(doctorAsked, session)
  if (doctor && failure) reportDiagnosis(doctor, session, failure)
  return { failure, verdict }
}

/** Errors of applications and of the network can quote a key. */
function withoutSecretsIn(failure: Failure): Failure {
  const { headline, details } = failure
  const { withoutSecrets } = loadExplain()
  return { ...failure, headline: withoutSecrets(headline), details: withoutSecrets(details) }
}

function withoutRecording(verdict: Verdict): Verdict {
  const { save, park, ...rest } = verdict
  return save || park ? rest : verdict
}

/** The texts that are printed besides the failure. */
function textsOf({ handOvers = [], warning }: Verdict, { notes }: Written): string[] {
  return [...handOvers.map(({ details }) => details), warning ?? [], notes].flat()
}

/** The result of writing, with notes for the user. */
interface Written {
  failure?: Failure
  notes: string[]
}

/** Keeps the pictures that a failure or a hand-over shows. An error here must not hide the failure. */
async function keepPictures(open: OpenSession, verdict: Verdict): Promise<void> {
  for (const explanation of [verdict.failure ?? [], verdict.handOvers ?? []].flat()) {
    try {
      await storeOf(open).keepAsked(explanation.pictures ?? [])
    } catch (error) {
      explanation.details += `\n\nThe pictures asked could not be kept: ${(error as Error).message}.`
    }
  }
}

/** `recover` takes no credential into a cassette, and no error that is the last answer to its prompt. */
function adviseRecovery(code: ErrorCode | undefined): string {
  if (code === 'secret') return ''
  const what = code === 'recording-failed' ? 'all of it but the error' : 'it anyway'
  return ` To use ${what}: npx vitest-cassette recover`
}

function explainTooLarge(test: TestIdentity, why: string, color: boolean): Failure {
  return {
    code: 'unwritten',
    headline: `${test.cassette} was written, but no replay will read it: ${why}`,
    details: [
      ...labelTest(test, color),
      '',
      'Raise the option maxCassetteBytes, or ask for less in this test.',
    ].join('\n'),
  }
}

/** Writes the recording of a verdict. The journal of paid answers is deleted only after that. */
async function write(
  open: OpenSession,
  { failure, save, merge, park }: Verdict,
  { color, failed = 'a test failed' }: AttemptOutcome,
): Promise<Written> {
  const { session, owner } = open
  const store = storeOf(open)
  const journal = journalOf(open)
  const path = owner.path(session.config.dir)
  const notes: string[] = []
  let note: string | undefined
  try {
    const replaced = save && (await store.save(path, save, merge))
    if (replaced)
      notes.push(
        `[vitest-cassette] ${session.test.cassette} could not be read, so it was recorded again. The old file is kept in ${owner.shown(replaced)}.`,
      )
    if (park) {
      const kept = owner.shown(await store.park(path, park))
      note = `The recording is kept in ${kept}.${adviseRecovery(failure?.code)}`
    }
    // Kept answers replace nothing that an earlier run paid for.
    if (save && !sendsNothing(session.config.mode)) journal.deleteAll()
    else journal.delete()
    const tooLarge = save && store.whyTooLarge(path)
    if (tooLarge) return { failure: explainTooLarge(session.test, tooLarge, color), notes }
  } catch (error) {
    // `recover` puts a whole recording in the place of the old one, and would add the answers of a journal to it.
    const parked = save && (await store.park(path, save).catch(() => undefined))
    if (parked) journal.delete()
    else journal.release()
    const whole = parked ?? journal.display
    const kept = whole && owner.shown(whole)
    if (save) {
      return {
        failure: loadExplain().explainUnwritten(session, error as Error, kept, color),
        notes,
      }
    }
    note = kept
      ? `The recording is kept in ${kept}.`
      : `The recording could not be kept: ${(error as Error).message}.`
  }
  if (note && failure) failure.details += `\n\n${note}`
  else if (note)
    notes.push(
      `[vitest-cassette] ${session.test.cassette} is left as it was, since ${failed}. ${note}`,
    )
  return { failure, notes }
}
