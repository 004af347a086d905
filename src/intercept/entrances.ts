import type { Answered } from './answer/answer-llm-call.ts'
import type { Layers } from './answer/layers.ts'
import { pace } from './answer/pace.ts'
import type { LlmCall } from './call/llm-call.ts'
import type { PlainRequest } from './call/plain-request.ts'
import { openToPages } from './call/preflight.ts'
import { closeWhenAnswered } from './context/open-requests.ts'
import { takeContext, type RequestContext } from './context/request-context.ts'
import type { Scope } from './context/scope.ts'
import { interceptFetch } from './http/fetch-interceptor.ts'
import { dropIdleSockets } from './patch/dispatchers.ts'
import { atFirstConnection } from './patch/first-connection.ts'
import { whenLoaded } from './patch/when-loaded.ts'
import { isInVmPool } from './patch/vm-pool.ts'
import { bridgeSockets } from './websocket/socket-bridge.ts'
import type { Handshake } from './websocket/socket-server.ts'

/** Judges and answers the requests that come in by the entrances. */
export interface Answering {
  /** Judges a request by its address and its scope. */
  judge(method: string, url: string, scope: Scope | undefined): LlmCall
  /** Whether a request of the running code may be an LLM call. */
  isLlmCall(method: string, url: string): boolean
  /** Whether nothing of this origin may go to a socket. */
  isProvider(origin: URL): boolean
  isLlmSocket(url: URL): boolean
  /** Answers a request, synchronously where possible; `undefined` lets it pass. */
  answer(request: Request | PlainRequest, context: RequestContext): Answered
  /** Refuses a client a tunnel to `<host>:<port>`; `undefined` permits it. */
  answerTunnel(authority: string): Response | undefined
  answerSocket(handshake: Handshake, context: RequestContext): void
  /** Sends a request that passes, for entrances that cannot let it pass by themselves. */
  send(request: Request): Promise<Response>
  network: Layers['network']
  connections(): Pick<ReturnType<Layers['connections']>, 'bridgeHttp2' | 'serveSocket'>
}

/**
 * Opens every entrance by which a request can reach its answer. Each is a thin patch that loads its parts at its first
 * use. Returns a function for each that closes it, in their order.
 *
 * @param guard lies below them, and returns a function that ends it
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
    // Patches before MSW does, so the guard sees real connections only.
    guard(),
    whenLoaded(['node:http2'], () =>
      answering
        .connections()
        .bridgeHttp2(
          answering,
          async (request) =>
            (await pace(await answerIntercepted(request.clone()))) ?? answering.send(request),
        ),
    ),
    bridgeSockets({
      isLlmSocket: (url) => answering.isLlmSocket(url),
      connect: (isSecure, context) =>
        answering
          .connections()
          .serveSocket(isSecure, context, (handshake) =>
            answering.answerSocket(handshake, context),
          ),
    }),
    dropIdleSockets(),
    atFirstConnection(openNetwork),
    () => closeNetwork?.(),
  ]
  // A context of a vm pool cannot load synchronously, so its file has loaded every part already.
  if (isInVmPool()) openNetwork()
  return ends
}
