import type { Answered } from './answer/answer-llm-call.ts'
import type { Layers } from './answer/layers.ts'
import { pace } from './answer/pace.ts'
import type { LlmCall } from './call/llm-call.ts'
import type { PlainRequest } from './call/plain-request.ts'
import { openToPages } from './call/preflight.ts'
import { closeWhenAnswered } from './context/open-requests.ts'
import { takeContext, type RequestContext } from './context/request-context.ts'
import type { Scope } from './context/scope.ts'
import { bridgeHttp2 } from './http/http2-bridge.ts'
import { interceptFetch } from './http/fetch-interceptor.ts'
import { dropIdleSockets } from './patch/dispatchers.ts'
import { atFirstConnection } from './patch/first-connection.ts'
import { whenLoaded } from './patch/when-loaded.ts'
import { isInVmPool } from './patch/vm-pool.ts'
import { bridgeSockets } from './websocket/socket-bridge.ts'
import { serveSocket, type Handshake } from './websocket/socket-server.ts'

/** Who answers what comes in by the entrances, and what does. */
export interface Answering {
  /** Judges by the address, and by where the request is made. */
  judge(method: string, url: string, scope: Scope | undefined): LlmCall
  /** The same of what is asked here, where only the answer counts. */
  isLlmCall(method: string, url: string): boolean
  /** Whether nothing of this origin may go to a socket. */
  isProvider(origin: URL): boolean
  isLlmSocket(url: URL): boolean
  /** Answers a request, at once where that can be; `undefined` lets it pass. */
  answer(request: Request | PlainRequest, context: RequestContext): Answered
  /** Answers a client that wants a tunnel to `<host>:<port>`; `undefined` lets it have the tunnel. */
  answerTunnel(authority: string): Response | undefined
  answerSocket(handshake: Handshake, context: RequestContext): void
  /** Sends what passes and came where nothing can pass by itself. */
  send(request: Request): Promise<Response>
  network: Layers['network']
}

/**
 * Opens every entrance by which a request can reach its answer. Each is a thin watch that loads what it needs when
 * something comes along it. Returns what closes it, one for each, in their order.
 *
 * @param guard lies below them, and returns what ends it
 */
export function openEntrances(answering: Answering, guard: () => () => void): Array<() => void> {
  const { judge, answer, network } = answering
  const answerIntercepted = async (request: Request): Promise<Response | undefined> => {
    const context = takeContext(request)
    return closeWhenAnswered(context.open, answer(request, context))
  }
  let closeNetwork: (() => void) | undefined
  const openNetwork = (): void => {
    closeNetwork ??= network().openNetwork({
      answer: async (request) => openToPages(await pace(await answerIntercepted(request))),
      answerTunnel: (authority) => answering.answerTunnel(authority),
    })
  }
  const ends = [
    interceptFetch({ judge, answer }),
    // Before MSW, so that only connections come to the guard that would really be made.
    guard(),
    whenLoaded(['node:http2'], () =>
      bridgeHttp2(
        answering,
        async (request) =>
          (await pace(await answerIntercepted(request.clone()))) ?? answering.send(request),
      ),
    ),
    bridgeSockets({
      isLlmSocket: (url) => answering.isLlmSocket(url),
      connect: (isSecure, context) =>
        serveSocket(isSecure, context, (handshake) => answering.answerSocket(handshake, context)),
    }),
    dropIdleSockets(),
    atFirstConnection(openNetwork),
    () => closeNetwork?.(),
  ]
  // A context of a vm pool can load nothing at once; its file has loaded all there is.
  if (isInVmPool()) openNetwork()
  return ends
}
