import type { Attempt, Failure } from '../engine/judge.ts'
import type { OpenSession } from './open-sessions.ts'
import { countSession, type CassetteMeta } from './test-meta.ts'

/**
 * Ends an attempt: waits for the answers that are still being recorded, judges, and writes what is to
 * be kept. Returns the failure, if there is one, and the figures of the attempt.
 */
export async function closeSession(
  { session, path, store }: OpenSession,
  attempt: Attempt,
): Promise<{ failure?: Failure; meta: CassetteMeta }> {
  await session.settle()
  session.close()
  // Most tests end so, and need no judge.
  if (attempt.passed && session.onlyReplayed) return { meta: countSession(session, 0) }
  const { judgeWhole } = await import('../engine/judge-secrets.ts')
  const { failure, warning, save, park, unused } = await judgeWhole(session, attempt)
  const meta = countSession(session, unused ?? 0)
  if (warning) console.warn(warning)
  if (save) await store.save(path, save)
  if (!park) return { failure, meta }
  const parked = await store.park(path, park)
  const note = `What was recorded is kept in ${parked}.`
  if (failure) failure.details += `\n\n${note}`
  else console.warn(`[vitest-cassette] The test failed, so its cassette is left as it was. ${note}`)
  return { failure, meta }
}
