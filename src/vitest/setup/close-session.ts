import { sendsNothing } from '../../config/mode.ts'
import type { Attempt, Failure, Verdict } from '../../explain/judge.ts'
import { onlyReplayed } from '../../engine/only-replayed.ts'
import type { OpenSession } from './open-sessions.ts'
import { countAsked, type CassetteMeta } from '../reporters/test-meta.ts'

/**
 * Ends an attempt: waits for the answers that are still being recorded, judges, and writes what is to
 * be kept. Returns the failure, if there is one, and the figures of the attempt.
 */
export async function closeSession(
  open: OpenSession,
  attempt: Attempt,
): Promise<{ failure?: Failure; meta: CassetteMeta }> {
  const { session } = open
  await session.settle()
  session.close()
  // Most tests end so, and need no judge.
  if (attempt.passed && onlyReplayed(session)) return { meta: countAsked(session, attempt.passed) }
  const { judgeWhole } = await import('../../explain/judge-secrets.ts')
  const verdict = await judgeWhole(session, attempt)
  const meta = countAsked(session, attempt.passed, verdict)
  if (
    verdict.save &&
    session.config.params.strategy === 'llm' &&
    !sendsNothing(session.config.mode)
  ) {
    const { proposeParams } = await import('./propose-params.ts')
    verdict.save = await proposeParams(open, verdict.save, attempt.color)
  }
  await keepPictures(open, verdict)
  for (const { details } of verdict.handOvers ?? []) console.warn(details)
  if (verdict.warning) console.warn(verdict.warning)
  const failure = await write(open, verdict, attempt.color)
  const { doctor } = session.config
  if (doctor && failure)
    (await import('./report-diagnosis.ts')).reportDiagnosis(doctor, session, failure)
  return { failure, meta }
}

/** Keeps the pictures that a failure or a warning names; that they cannot be kept must not hide it. */
async function keepPictures({ store }: OpenSession, verdict: Verdict): Promise<void> {
  for (const explanation of [verdict.failure ?? [], verdict.handOvers ?? []].flat()) {
    try {
      await store.keepAsked(explanation.pictures ?? [])
    } catch (error) {
      explanation.details += `\n\nThe pictures asked could not be kept: ${(error as Error).message}.`
    }
  }
}

/** Writes what a verdict keeps. What was paid for is given up only when it is written. */
async function write(
  { session, path, store, journal }: OpenSession,
  { failure, save, settle, park }: Verdict,
  color: boolean,
): Promise<Failure | undefined> {
  let note: string | undefined
  try {
    if (save) await store.save(path, save, settle)
    if (park) note = `What was recorded is kept in ${await store.park(path, park)}.`
    // Kept answers replace nothing that an earlier run paid for.
    if (save && !sendsNothing(session.config.mode)) journal.deleteAll()
    else journal.delete()
  } catch (error) {
    journal.release()
    const kept = journal.display
    if (save) {
      const { explainUnwritten } = await import('../../explain/explain-unwritten.ts')
      return explainUnwritten(session, error as Error, kept, color)
    }
    note = kept
      ? `What was recorded is kept in ${kept}.`
      : `What was recorded could not be kept: ${(error as Error).message}.`
  }
  if (note && failure) failure.details += `\n\n${note}`
  else if (note)
    console.warn(`[vitest-cassette] The test failed, so its cassette is left as it was. ${note}`)
  return failure
}
