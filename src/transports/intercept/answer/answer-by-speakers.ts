import { sendsNothing } from '../../../config/mode.ts'
import type { Answer, Origin } from '../../../engine/session-contract.ts'
import type { Incoming } from '../../../engine/incoming.ts'
import { askSpeakers } from '../../../features/ask-speakers.ts'
import type { Session } from '../../../engine/session.ts'
import { CassetteError } from '../../../errors.ts'

/**
 * Lets the speakers of a test answer a request; `undefined` leaves it to the cassette and the provider.
 *
 * @throws CassetteError `speaker` as {@link askSpeakers} does, and where a speaker leaves the answer to the provider
 * in a run that sends nothing
 */
export async function answerBySpeakers(
  session: Session,
  incoming: Incoming,
  origin: Origin,
): Promise<Answer | undefined> {
  const spoken = await askSpeakers(session, incoming)
  if ('found' in spoken) return session.answer(incoming, origin, undefined, spoken.found)
  if (spoken.by !== 'live') return undefined
  if (!sendsNothing(session.config.mode)) return session.answer(incoming, origin, undefined, 'live')
  throw new CassetteError(
    'speaker',
    'A speaker leaves a step to "live", and this run sends nothing.\nRecord this test:\n' +
      `  ${session.test.recordCommand}`,
  )
}
