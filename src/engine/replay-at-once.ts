import type { WireResponse } from '../wire/message.ts'
import type { Found } from './find-recorded.ts'
import type { Incoming } from './incoming.ts'
import type { Session } from './session.ts'

/**
 * The recorded answer to a request, where nothing but the cassette has a say in it; `undefined`, and
 * nothing has happened, where it takes more: a look at pictures, a fault, a parameter, a refusal.
 */
export function replayAtOnce(
  session: Session,
  incoming: Incoming,
  order: number,
): WireResponse | undefined {
  const { mode, images, faults, doctor } = session.config
  const isSimple = mode === 'replay' && images.match === 'exact' && faults.length === 0 && !doctor
  if (!isSimple || session.isClosed || !session.params.none) return undefined
  const found = session.validity.keep(session.find(incoming))
  if (!found || isRedirect(found)) return undefined
  return session.replay(found, incoming, order).response
}

/** Where it leads to is for fetch to follow. */
function isRedirect({ recorded: { exchange } }: Found): boolean {
  const status = exchange.wire?.response?.status ?? 200
  return status >= 300 && status < 400
}
