import { keepUrl } from '../../../wire/url.ts'
import { closeWhenAnswered, markSent } from '../../open-requests.ts'
import { reportOutsideTest } from '../context/report-outside-test.ts'
import { loadSocketConversation } from './load-socket-conversation.ts'
import type { Handshake } from './socket-server.ts'
import type { RequestContext } from '../context/request-context.ts'

/** Answers a client that opens a WebSocket to a model. */
export async function answerSocket(handshake: Handshake, context: RequestContext): Promise<void> {
  markSent(context.open)
  await closeWhenAnswered(context.open, answerHandshake(handshake, context))
}

async function answerHandshake(handshake: Handshake, context: RequestContext): Promise<void> {
  const { scope, callSite } = context
  if (typeof scope === 'object') {
    const { SocketConversation } = loadSocketConversation()
    return new SocketConversation(handshake, scope.session, context).open()
  }
  const url = keepUrl(new URL(handshake.url), () => '')
  reportOutsideTest({ method: 'GET', url, body: { kind: 'empty' } }, callSite)
  handshake.reject()
}
