import { Session } from '../engine/session.ts'
import { keepUrl } from '../wire/url.ts'
import { reportOutside } from './outside.ts'
import { SocketConversation } from './socket-conversation.ts'
import type { Handshake } from './socket-server.ts'
import type { Stamp } from './stamp.ts'

/** Answers a client that opens a socket to a model. */
export async function answerSocket(handshake: Handshake, stamp: Stamp): Promise<void> {
  const { scope, callSite } = stamp
  if (scope instanceof Session) return new SocketConversation(handshake, scope, stamp).open()
  const url = keepUrl(new URL(handshake.url), () => '')
  reportOutside({ method: 'GET', url, body: { kind: 'empty' } }, callSite)
  handshake.reject()
}
