import type { Incoming } from '../../engine/incoming.ts'
import type { Session } from '../../engine/session.ts'
import { textOf } from '../../wire/body.ts'
import type { Closest } from '../closest.ts'

/** Names the option where requests were in flight together, so that time can decide what the application sends. */
export function adviseOnPace({ config, flights }: Session): string {
  if (config.pace !== 'instant' || !flights.haveMet) return ''
  return (
    'Replay gives responses without the time that they took, in the order in which they ended. If your application batches, ' +
    "debounces or polls, it may send other requests then. To replay the recorded times: pace: 'recorded'"
  )
}

/** The same where a prompt holds other responses than the recorded one, or holds them in another order. */
export function adviseOnOtherResponses(
  session: Session,
  closest: Closest | undefined,
  asked: Incoming,
): string {
  const known = closest?.recorded.incoming
  if (!known || adviseOnPace(session) === '') return ''
  return responsesIn(session, asked) === responsesIn(session, known) ? '' : adviseOnPace(session)
}

/** The ids of the exchanges whose texts stand in a prompt, in their order there. */
function responsesIn({ recorded }: Session, { wire }: Incoming): string {
  const body = textOf(wire.body)
  return recorded
    .map(({ exchange: { id, response } }) => ({
      id,
      place: response.text === '' ? -1 : body.indexOf(JSON.stringify(response.text).slice(1, -1)),
    }))
    .filter(({ place }) => place >= 0)
    .toSorted((one, other) => one.place - other.place)
    .map(({ id }) => id)
    .join()
}
