import type { Incoming } from '../../engine/incoming.ts'
import type { Answer } from '../../engine/answer.ts'
import type { Session } from '../../engine/session.ts'

/** Lets a session answer a request after a look at pictures that need not be the recorded ones. */
export async function answerSeeing(
  session: Session,
  incoming: Incoming,
  order: number,
  callSite?: Error,
): Promise<Answer> {
  const answer = (): Answer => session.answer(incoming, order, callSite)
  const { mode, images } = session.config
  const isExact = images.match === 'exact' || mode === 'off' || mode === 'all'
  if (isExact || incoming.pictures.length === 0) return answer()
  const look = (): unknown => session.find(incoming)
  look()
  const { pictures } = session
  if (!pictures) return answer()
  const answered = await pictures.inTurn(look, answer)
  if (answered.action === 'replay') return answered
  // The failure, or the note that the recording was left, says which pictures are others.
  const { findClosest } = await import('../../explain/closest.ts')
  const closest = findClosest(session, session.recorded, incoming)
  if (closest)
    await pictures.inTurn(
      () => pictures.compare(closest.recorded, incoming),
      () => {},
    )
  return answered
}
