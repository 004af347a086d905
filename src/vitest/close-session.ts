import { judge, type Attempt, type Failure } from '../engine/judge.ts'
import type { OpenSession } from './open-sessions.ts'

/**
 * Ends an attempt: waits for the answers that are still being recorded, judges, and writes what is to
 * be kept. Returns the failure, if there is one.
 */
export async function closeSession(
  { session, path, store }: OpenSession,
  attempt: Attempt,
): Promise<Failure | undefined> {
  await session.settle()
  session.close()
  const { failure, warning, save, park } = judge(session, attempt)
  if (warning) console.warn(warning)
  if (save) await store.save(path, save)
  if (!park) return failure
  const parked = await store.park(path, park)
  if (failure) failure.details += `\n\nWhat was recorded is kept in ${parked}.`
  return failure
}
