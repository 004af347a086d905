import { encodeTexts } from '../../cassette/encode.ts'
import { lastWordFailures } from '../../engine/recording.ts'
import type { Session } from '../../engine/session.ts'
import type { AttemptOutcome, Verdict } from '../../explain/judge-attempt.ts'
import { assembleCassette, dropped, keepsAnswers } from '../../recording/assemble.ts'
import { mayBeOdd } from '../../recording/may-be-odd.ts'
import { mergerOf } from '../../recording/merger.ts'
import { findAddresses } from '../../secrets/find-addresses.ts'
import { findSecrets } from '../../secrets/find-secrets.ts'
import { keptNames, withoutKept } from '../../secrets/redactions.ts'

/**
 * The verdict on an attempt that recorded, and of which nothing has to be said: as `judgeWhole` gives it, and loads
 * nothing that explains. `undefined` for any other.
 */
export function judgePlainly(session: Session, outcome: AttemptOutcome): Verdict | undefined {
  if (!outcome.passed || !isPlain(session)) return undefined
  const save = assembleCassette(session, outcome.now, outcome.partial ? [] : undefined)
  if (!save) return undefined
  const { params = {}, exchanges } = save
  if (Object.keys(session.params.values).some((name) => !Object.hasOwn(params, name)))
    return undefined
  if (exchanges.some(mayBeOdd)) return undefined
  const stored = encodeTexts(save)
  const env = withoutKept(process.env, keptNames(session.config.redact))
  const { secrets } = findSecrets(stored, exchanges, env)
  if (secrets.length > 0 || findAddresses(stored, exchanges).length > 0) return undefined
  const renews = session.validity.renews && !outcome.partial
  return { save, renews, merge: mergerOf(session, renews, outcome.partial) }
}

/** Whether a session recorded, failed at nothing, and left nothing of an older recording. */
function isPlain(session: Session): boolean {
  const { asked, config, fault, misses } = session
  if (fault || misses.length > 0 || config.faults.length > 0 || keepsAnswers(session)) return false
  const recordings = asked.flatMap(({ recording }) => recording ?? [])
  // In mode `new`, a conversation may have left its recording.
  const mayLeave = config.mode === 'new' && session.cassette !== undefined
  return (
    recordings.length > 0 &&
    !mayLeave &&
    dropped(session).length === 0 &&
    recordings.every(({ error }) => !error) &&
    (config.recordErrors || lastWordFailures(recordings).length === 0) &&
    asked.every(({ undeclared }) => !undeclared)
  )
}
