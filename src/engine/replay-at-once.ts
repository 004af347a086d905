import type { WireRequest, WireResponse } from '../wire/message.ts'
import { readLive } from './incoming.ts'
import type { Session } from './session.ts'
import { isPlainReplay, isRedirect, type Verbatim } from './verbatim.ts'

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
  const { config } = session
  if (!isPlainReplay(config) || !session.params.none || session.late.has(order)) return undefined
  const incoming = readLive(wire, config.volatile)
  const found = session.validity.keep(session.find(incoming))
  const recorded = found?.recorded.exchange.wire?.response
  if (!found || (recorded && isRedirect(recorded))) return undefined
  return session.replay(found, incoming, order).response
}

/** Asks a session what was answered before there was one. */
export function askAgain(session: Session, { asked }: Verbatim): void {
  for (const { wire, order } of asked) replayAtOnce(session, wire, order)
}
