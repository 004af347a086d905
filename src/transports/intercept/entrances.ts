import { builtin, replaceOnce } from '../../real/builtin.ts'
import { shared } from '../../real/shared.ts'
import type { Layers } from '../layers.ts'
import { closeWhenAnswered } from '../open-requests.ts'
import { currentScope, failing } from '../scope.ts'
import type { RequestContext } from './context/request-context.ts'
import type { FetchAnswers } from './http/fetch-interceptor.ts'
import type { TunnelRules } from './guard/test-rules.ts'
import { dropIdleSockets } from './patch/dispatchers.ts'
import { hookConnections } from './patch/hook-connections.ts'
import { interceptFetch } from './patch/intercept-fetch.ts'
import { whenLoaded } from './patch/when-loaded.ts'
import { bridgeSockets, type SocketEntrance } from './websocket/socket-bridge.ts'
import type { Handshake } from './websocket/socket-server.ts'

type Http2Connect = typeof import('node:http2').connect

/** Judges and answers the requests that come in by the entrances. */
export interface Answering extends FetchAnswers, Pick<SocketEntrance, 'isLlmSocket'> {
  /** What is done with tunnels through proxies. */
  tunnels(): TunnelRules
  answerSocket(handshake: Handshake, context: RequestContext): void
  /** Sends a request that passes, for entrances that cannot let it pass by themselves. */
  send(request: Request): Promise<Response>
  /** Loads what judges requests, and reads and writes them. */
  calls(): Pick<ReturnType<Layers['calls']>, 'answerFetch' | 'openToPages'>
  network: Layers['network']
  /** Loads what takes connections. */
  taking: Layers['taking']
  connections(): Pick<
    ReturnType<Layers['connections']>,
    | 'bridgeArguments'
    | 'bridgeHttp2'
    | 'bridgeUpgrade'
    | 'serveSocket'
    | 'takeContext'
    | 'writeInTurns'
  >
}

/**
 * Opens every entrance by which a request can reach its answer. Each is a thin patch that loads its parts at its first
 * use. Returns a function for each that closes it, in their order.
 *
 * @param guard lies below them, and returns a function that ends it
 */
export function openEntrances(answering: Answering, guard: () => () => void): Array<() => void> {
  const load = failing(() => answering.taking().openTaker(answering))
  const bridge = (connect: Http2Connect): Http2Connect =>
    answering.connections().bridgeHttp2(
      connect,
      (method, url) => answering.judge(method, url, currentScope()),
      (request) => answerOrSend(answering, request),
    )
  return [
    interceptFetch(answering, answering.calls),
    // Patches before MSW does, so the guard sees real connections only.
    guard(),
    whenLoaded(['node:http2'], () =>
      replaceOnce(builtin('node:http2'), 'connect', (connect) => {
        let bridged: Http2Connect | undefined
        return ((...args: Parameters<Http2Connect>) =>
          (bridged ??= bridge(connect))(...args)) as Http2Connect
      }),
    ),
    bridgeSockets({
      connections: answering.connections,
      isLlmSocket: (url) => answering.isLlmSocket(url),
      connect: (url, context) =>
        answering
          .connections()
          .serveSocket(url, context, (handshake) => answering.answerSocket(handshake, context)),
    }),
    dropIdleSockets(),
    hookConnections(load),
  ]
}

/** Answers a request; `undefined` lets it pass. */
export async function answerIntercepted(
  { connections, answer }: Answering,
  request: Request,
): Promise<Response | undefined> {
  const context = connections().takeContext(request)
  const answered = await closeWhenAnswered(context.open, answer(request, context))
  context.isDecided = true
  return answered
}

/** Answers a request of an entrance that cannot let one pass by itself. */
export async function answerOrSend(answering: Answering, request: Request): Promise<Response> {
  const answered = await answerIntercepted(answering, request.clone())
  return (await answering.connections().writeInTurns(answered)) ?? answering.send(request)
}

/** The interception of this process, shared by all copies of this package. */
export const interception: {
  end?: () => void
  /** Whether cassettes of this process answer, and not the gateway of the test that started it. */
  isOwn?: boolean
} = shared('installed')
