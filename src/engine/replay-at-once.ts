import type { WireRequest, WireResponse } from '../wire/message.ts'
import type { Found } from './find-recorded.ts'
import { readIncoming } from './incoming.ts'
import type { Session } from './session.ts'

/**
 * The recorded answer to a request as it travels, where nothing but the cassette has a say in it. One that
 * holds a credential is recorded with a placeholder, and therefore never answered here. `undefined`, and
 * nothing has happened, where it takes more: redaction, a look at pictures, a fault, a parameter, a refusal.
 */
export function replayAtOnce(
  session: Session,
  wire: WireRequest,
  order: number,
): WireResponse | undefined {
  const { mode, images, faults, doctor, redact, volatile } = session.config
  const isReplay = mode === 'replay' && !doctor && !session.isClosed
  const isExact = images.match === 'exact' && redact.length === 0 && session.params.none
  if (!isReplay || !isExact || faults.length > 0) return undefined
  const incoming = readIncoming(wire, volatile)
  const found = session.validity.keep(session.find(incoming))
  if (!found || isRedirect(found)) return undefined
  return session.replay(found, incoming, order).response
}

/** Where it leads to is for fetch to follow. */
function isRedirect({ recorded: { exchange } }: Found): boolean {
  const status = exchange.wire?.response?.status ?? 200
  return status >= 300 && status < 400
}
