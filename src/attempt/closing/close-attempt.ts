import { Journal } from '../../cassette/journal.ts'
import { CassetteStore, describeRaw } from '../../cassette/store.ts'
import { sendsNothing } from '../../config/mode.ts'
import type { Session } from '../../engine/session.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Failure } from '../../explain/failure.ts'
import type { AttemptOutcome, Verdict } from '../../explain/judge-attempt.ts'
import { rememberFor } from '../../remember.ts'
import { keptNames } from '../../secrets/redactions.ts'
import { loadExplain } from '../load-explain.ts'
import type { Ended, OpenSession } from '../owner.ts'
import { appendLine, isDiscarded } from '../run-channel.ts'
import { say } from '../say.ts'
import type { AskInside } from './ask-for-params.ts'
import { findVarying } from './find-varying.ts'
import { judgePlainly } from './judge-plainly.ts'

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
  const { mode, params, run } = session.config
  const judged =
    judgePlainly(session, outcome) ?? (await loadExplain().judgeWhole(session, outcome))
  const verdict = isDiscarded(run?.folder) ? withoutRecording(judged) : judged
  if (verdict.save && params.strategy === 'llm' && !sendsNothing(mode))
    verdict.save = await loadExplain().askForParams(open, verdict.save, outcome, {
      askInside,
      storeOf,
      journalOf,
    })
  const varying = verdict.save ? findVarying(session, outcome.now) : []
  if (varying.length > 0) verdict.varying = varying
  await keepPictures(open, verdict)
  const written = await write(open, verdict, outcome)
  const failure =
    written.failure && loadExplain().renderSafely(session, written.failure, outcome.color)
  const isFailed = failure !== undefined || !outcome.passed
  if (isFailed && outcome.isTriedAgain) return { failure, verdict }
  for (const text of textsOf(session, verdict, written)) say(text)
  if (run?.by === 'doctor') loadExplain().tellDoctor(run.folder, session, failure)
  if (run?.by === 'import' && failure)
    appendLine(run.folder, {
      kind: 'imported',
      verdict: loadExplain().explainImported(session, failure),
    })
  return { failure, verdict }
}

function withoutRecording(verdict: Verdict): Verdict {
  const { save, park, ...rest } = verdict
  return save || park ? rest : verdict
}

/** The texts that are printed besides the failure. */
function textsOf(session: Session, verdict: Verdict, { notes }: Written): string[] {
  const { handOvers = [], warning } = verdict
  const isSilent = handOvers.length === 0 && warning === undefined
  return [...(isSilent ? [] : loadExplain().hideInWarnings(session, verdict)), ...notes]
}

/** The result of writing, with notes for the user. */
interface Written {
  failure?: Failure
  notes: string[]
}

/** Keeps the pictures that a failure or a hand-over shows. An error here must not hide the failure. */
async function keepPictures(open: OpenSession, verdict: Verdict): Promise<void> {
  const { failure, handOvers = [] } = verdict
  const keep = async (
    pictures: Parameters<CassetteStore['keepAsked']>[0] = [],
  ): Promise<string> => {
    try {
      await storeOf(open).keepAsked(pictures)
      return ''
    } catch (error) {
      return `The pictures asked could not be kept: ${(error as Error).message}.`
    }
  }
  failure?.notes.push(await keep(failure.pictures))
  for (const one of handOvers) {
    const note = await keep(one.pictures)
    if (note !== '') one.text += `\n\n${note}`
  }
}

function adviseRecovery(code: ErrorCode | undefined): string {
  const what = code === 'recording-failed' ? 'all of it but the error' : 'it anyway'
  return ` To use ${what}: npx vitest-cassette recover`
}

/** Writes the recording of a verdict. The journal of paid answers is deleted only after that. */
async function write(
  open: OpenSession,
  verdict: Verdict,
  { failed = 'a test failed' }: AttemptOutcome,
): Promise<Written> {
  const { failure, save, merge, park, isUseless = false } = verdict
  const { session, owner } = open
  const store = storeOf(open)
  const journal = journalOf(open)
  const path = owner.path(session.config.dir)
  const keep = keptNames(session.config.redact)
  const notes: string[] = []
  let note: string | undefined
  try {
    const { unreadable: replaced, raw = [] } = (save && (await store.save(path, save, merge))) ?? {}
    if (replaced)
      notes.push(
        `[vitest-cassette] ${session.test.cassette} could not be read, so it was recorded again. The old file is kept in ${owner.shown(replaced)}.`,
      )
    const told = raw.length > 0 && describeRaw(session.test.cassette, raw)
    // The summary of Vitest tells it, with the test.
    if (told && session.test.optionsOf) notes.push(`[vitest-cassette] ${told}`)
    else if (told) verdict.raw = `${session.test.id}\n${told}`
    if (park) {
      const kept = owner.shown(await store.park(path, park, keep))
      note = `The recording is kept in ${kept}.${isUseless ? '' : adviseRecovery(failure?.code)}`
    }
    // Kept answers replace nothing that an earlier run paid for.
    if (save && !sendsNothing(session.config.mode)) journal.deleteAll()
    else journal.delete()
    const tooLarge = save && store.whyTooLarge(path)
    if (tooLarge)
      return { failure: loadExplain().explainUnwritten({ test: session.test, tooLarge }), notes }
  } catch (error) {
    // `recover` puts a whole recording in the place of the old one, and would add the answers of a journal to it.
    const parked = save && (await store.park(path, save, keep).catch(() => undefined))
    if (parked) journal.delete()
    else journal.release()
    const whole = parked ?? journal.display
    const kept = whole && owner.shown(whole)
    if (save) {
      const { test } = session
      return {
        failure: loadExplain().explainUnwritten({ test, error: error as Error, kept }),
        notes,
      }
    }
    note = kept
      ? `The recording is kept in ${kept}.`
      : `The recording could not be kept: ${(error as Error).message}.`
  }
  if (note && failure) failure.notes.push(note)
  else if (note)
    notes.push(
      `[vitest-cassette] ${session.test.cassette} is left as it was, since ${failed}. ${note}`,
    )
  return { failure, notes }
}

/** The store into which the cassette of an attempt is written. */
export function storeOf({ session, owner }: OpenSession): CassetteStore {
  const { dir, maxCassetteBytes } = session.config
  return new CassetteStore(owner.root, dir, maxCassetteBytes, owner.sample ?? 1)
}

/** The journal of the answers that an attempt has paid for. */
export const journalOf: (open: OpenSession) => Journal = rememberFor(newJournal)

/** A new journal, separate from that of the attempt. */
export function newJournal({ session, owner }: OpenSession): Journal {
  const { root } = owner
  const { dir } = session.config
  return new Journal({ root, dir, path: owner.path(dir), id: session.test.id })
}
