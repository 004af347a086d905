import { isRecorded } from '../../cassette/cassette.ts'
import type { Recorded } from '../../engine/recorded.ts'
import type { Session } from '../../engine/session.ts'
import { hashStoredRequests } from '../../recording/describe.ts'
import { placeholdersIn } from '../../text/placeholders.ts'
import { textOf } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'

/** Whether a recorded request was edited by hand, as its hash shows. */
export function wasEdited({ cassette, params }: Session, recorded: Recorded): boolean {
  // Parameters of the test are put into the recorded requests, which then have other hashes.
  if (!cassette || !params.none || cassette.params) return false
  const { exchanges } = cassette
  const place = exchanges.findIndex(({ id }) => id === recorded.exchange.id)
  const exchange = exchanges[place]
  if (!exchange || !isRecorded(exchange)) return false
  const hashes = hashStoredRequests(
    exchanges.map(({ id, wire }) => ({ id, request: wire?.request })),
  )
  // Another program writes none.
  const stored: string | undefined = exchange.prompt.hash
  return stored !== undefined && hashes[place] !== stored
}

/**
 * The exchanges with one prompt and different answers that are parts of a prompt which changed: asked at the same time,
 * they may have been answered in another order.
 */
export function equalPromptsIn(recorded: readonly Recorded[], changed: Recorded): string[] {
  if (!changed.incoming) return []
  const body = textOf(changed.incoming.wire.body)
  const isPart = ({ exchange: { response } }: Recorded): boolean =>
    response.text !== '' && body.includes(JSON.stringify(response.text).slice(1, -1))
  const parts = recorded.filter((entry) => entry.incoming && isPart(entry))
  const equal = [...Map.groupBy(parts, ({ incoming }) => incoming!.hash).values()].find(
    (group) => new Set(group.map(({ exchange }) => exchange.response.text)).size > 1,
  )
  return (equal ?? []).map(({ exchange }) => exchange.id)
}

/** Variables are written in capitals; the names of headers and fields are not. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/

/** The variables whose values stood in a recorded prompt, and that are not set here. */
export function unsetVariables(recorded: WireRequest, asked: WireRequest): string[] {
  const there = namesIn(asked)
  return [...namesIn(recorded)].filter(
    (name) => !there.has(name) && process.env[name] === undefined,
  )
}

function namesIn({ body }: WireRequest): Set<string> {
  return new Set(
    placeholdersIn(textOf(body)).flatMap(({ name }) => (VARIABLE.test(name) ? name : [])),
  )
}

/** Whether requests were in flight together, and replay answers at once: time can decide what the application sends. */
export function isPaceInPlay({ config, flights }: Session): boolean {
  return config.pace === 'instant' && flights.haveMet
}

/** Whether a prompt holds other responses than the recorded one, or holds them in another order. */
export function holdsOtherResponses(
  session: Session,
  asked: WireRequest,
  known: WireRequest,
): boolean {
  return responsesIn(session, asked) !== responsesIn(session, known)
}

/** The ids of the exchanges whose texts stand in a prompt, in their order there. */
function responsesIn({ recorded }: Session, wire: WireRequest): string {
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
