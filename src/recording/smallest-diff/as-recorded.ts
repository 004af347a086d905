import { type Incoming, readIncoming } from '../../engine/incoming.ts'
import type { Session } from '../../engine/session.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { Turn } from '../describe.ts'

/** A request that continues a replayed conversation is stored with the recorded values of that conversation. */
export function asRecorded(
  { bindings, config }: Session,
  incoming: Incoming,
  response: WireResponse,
): Pick<Turn, 'incoming' | 'response'> {
  if (bindings.none) return { incoming, response }
  const { before } = incoming
  const given = bindings.undo(incoming) ?? incoming.wire
  const wire = bindings.unbind(incoming.wire)
  const [least, most] = [given, wire].map((form) =>
    readIncoming(form, { volatile: config.volatile, before }),
  )
  // If replacing all values gives another prompt, only the values from answers are turned back.
  return {
    incoming: least!.hash === most!.hash ? most! : least!,
    response: bindings.unbind(response),
  }
}
