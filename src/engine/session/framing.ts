import type { WireRequest } from '../../wire/message.ts'
import type { Incoming } from '../incoming.ts'

/** The header that every recording of a socket has, since subprotocols and kinds of frames count. */
export const PROTOCOLS = 'sec-websocket-protocol'

/** The headers of a frame of bytes. That of a text has none. */
export const OF_BYTES = { 'content-type': 'application/octet-stream' }

/** Whether a recording tells its subprotocols and kinds of frames, which those of sockets did not always. */
export function tellsFraming(known: Incoming): boolean {
  if (!known.wire.url.startsWith('ws')) return true
  let first = known
  while (first.before) first = first.before
  return first.wire.headers?.[PROTOCOLS] !== undefined
}

/** A request without its subprotocols, or without the kind of its frame. */
export function withoutFraming({ headers = {}, ...rest }: WireRequest): WireRequest {
  const name = rest.method === 'GET' ? PROTOCOLS : 'content-type'
  const kept = Object.entries(headers).filter(([header]) => header !== name)
  return { ...rest, ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}) }
}
