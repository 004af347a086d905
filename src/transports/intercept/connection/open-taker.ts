// Loaded at the first connection that may be ours, and for HTTP/2: `layers.ts` names it.
export { answerOrSend } from './answer-request.ts'
export { bridgeHttp2 } from '../http/http2-bridge.ts'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { inRealWorld, withRealValues } from '../../../real/real-world.ts'
import { closeWhenAnswered } from '../../open-requests.ts'
import { currentScope, failHere, failing } from '../../scope.ts'
import { isSeen } from '../call/is-seen.ts'
import type { LlmCall } from '../call/judge-address.ts'
import { contextIn, takeContext } from '../context/carried-context.ts'
import { closed } from '../context/request-context.ts'
import type { Answering } from '../entrances.ts'
import { answerIntercepted, answerOrSend } from './answer-request.ts'
import { writeInTurns } from '../answer/write-in-turns.ts'
import { headersOf } from '../http/headers.ts'
import { serveHttp2 } from '../http/http2-server.ts'
import type { Network } from '../http/network.ts'
import { handshakeOf, noteWrites } from '../websocket/socket-server.ts'
import { othersListen } from './ask-others.ts'
import { clientEndOf, deliverIn } from './memory-socket.ts'
import { ConnectionServer, type ServedRequest } from './serve-connection.ts'
import { ConnectionTaker } from './take-connections.ts'

/** Takes connections for an entrance, whose network opens at the first of them. */
export function openTaker(answering: Answering): ConnectionTaker {
  const answer = async (request: Request): Promise<Response | undefined> => {
    const answered = await answerIntercepted(answering, request)
    return answering.calls().openToPages(answered)
  }
  let network: Network | undefined
  const open = failing((): Network => (network ??= answering.network().openNetwork(answer)))
  const server = new ConnectionServer({
    answer: (exchange) =>
      inRealWorld(() => {
        const answered = answerByHash(answering, exchange)
        if (answered) void giveInTurns(answered, exchange, answering.calls().openToPages)
        else open().take(exchange)
      }),
    takeSocket: (...arrived) => takeLlmSocket(answering, ...arrived),
    refuseTunnel: (authority) => answering.tunnels().refuse(authority),
    serveHttp2: (connection, origin) =>
      serveHttp2(connection, origin, (request) => answerOrSend(answering, request)),
    fail: failHere,
  })
  const judge = (method: string, url: string): LlmCall =>
    URL.canParse(url) ? answering.judge(method, url, currentScope()) : 'no'
  return new ConnectionTaker({
    isCertain: (origin) => judge('CONNECT', `${origin}/`) === 'certain',
    isOurs: (method, url, isSocket) =>
      // Asked first: what is no LLM call is noted as one that passes.
      (isSocket && URL.canParse(url) && answering.isLlmSocket(new URL(url))) ||
      judge(method, url) !== 'no' ||
      isSeen(method, url),
    isClosed: (origin) => closed.isSeenAt?.(`${origin}/`) ?? false,
    isOurTunnel: (authority) => answering.tunnels().isOurs(authority),
    accept: (connection, place) => server.accept(connection, place),
    close: () =>
      inRealWorld(() => {
        server.close()
        network?.close()
      }),
  })
}

/** Answers a WebSocket to a model in the context in which its client made it; false for any other. */
function takeLlmSocket(
  answering: Answering,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  address: string,
): boolean {
  const headers = headersOf(incoming)
  const inContext = contextIn(headers)?.inContext
  let isTaken = false
  const take = (): void => {
    const url = URL.parse(address)
    if (!url || !answering.isLlmSocket(url)) return
    isTaken = true
    const context = takeContext({ headers })
    context.isDecided = true
    if (inContext) deliverIn(socket, inContext)
    const orderOfMessage = noteWrites(clientEndOf(socket), socket, context)
    const opened = address.replace(/^http/, 'ws')
    answering.answerSocket(handshakeOf(opened, incoming, socket, head, orderOfMessage), context)
  }
  if (inContext) inContext(take)
  else take()
  return isTaken
}

/** Answers a request that was recorded byte for byte, if no mock of others may answer it; `undefined` for any other. */
function answerByHash(
  { byHash }: Answering,
  exchange: ServedRequest,
): Response | Promise<Response> | undefined {
  const context = contextIn(exchange.headers)
  if (!byHash || !context || (!exchange.place.isBelowOthers && othersListen())) return undefined
  const request = exchange.toPlain()
  if (!request) return undefined
  context.isLookedUp = true
  const answered = withRealValues(() => byHash(request, context))
  if (!answered) return undefined
  takeContext(exchange).isDecided = true
  return closeWhenAnswered(context.open, answered)
}

async function giveInTurns(
  answered: Response | Promise<Response>,
  exchange: ServedRequest,
  open: (response: Response | undefined) => Response | undefined,
): Promise<void> {
  try {
    exchange.respond(open(await writeInTurns(await answered))!)
  } catch (error) {
    exchange.fail(exchange.signal.aborted ? undefined : (error as Error))
  }
}
