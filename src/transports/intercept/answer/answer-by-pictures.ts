import { loadExplain } from '../../../attempt/load-explain.ts'
import type { Answer, Origin } from '../../../engine/session-contract.ts'
import type { Incoming } from '../../../engine/incoming.ts'
import type { Session } from '../../../engine/session.ts'

/** Lets a session answer a request by exchanges whose pictures look alike. */
export async function answerByPictures(
  session: Session,
  incoming: Incoming,
  origin: Origin,
): Promise<Answer> {
  const answer = (): Answer => session.answer(incoming, origin)
  const look = (): unknown => session.find(incoming)
  look()
  const { pictures } = session
  if (!pictures) return answer()
  const answered = await pictures.inTurn(look, answer)
  if (answered.action === 'replay') return answered
  // The failure, or the note that the conversation left its recording, names the pictures that differ.
  const closest = loadExplain().findClosest(session, session.recorded, incoming)
  if (closest)
    await pictures.inTurn(
      () => pictures.compare(closest.recorded, incoming),
      () => {},
    )
  return answered
}
