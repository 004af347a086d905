import { builtin, replaceOnce } from '../../real/builtin.ts'
import { shared } from '../../real/shared.ts'
import type { Layers } from '../layers.ts'
import { currentScope, failing } from '../scope.ts'
import type { RequestContext } from './context/request-context.ts'
import type { FetchAnswers } from './http/fetch-interceptor.ts'
import type { PlainRequest } from './http/plain-request.ts'
import type { TunnelRules } from './guard/test-rules.ts'
import { dropIdleSockets } from './patch/dispatchers.ts'
import { hookConnections } from './patch/hook-connections.ts'
import { interceptFetch } from './patch/intercept-fetch.ts'
import { whenLoaded } from './patch/when-loaded.ts'
import type { Handshake } from './websocket/socket-server.ts'

type Http2Connect = typeof import('node:http2').connect

/** Judges and answers the requests that come in by the entrances. */
export interface Answering extends FetchAnswers {
  /** Whether a WebSocket to this address is a conversation with a model. */
  isLlmSocket(url: URL): boolean
  /** Answers a request that was recorded byte for byte; absent where no cassette of this process answers. */
  byHash?(request: PlainRequest, context: RequestContext): Response | Promise<Response> | undefined
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
    answering.taking().bridgeHttp2(
      connect,
      (method, url) => answering.judge(method, url, currentScope()),
      (request) => answering.taking().answerOrSend(answering, request),
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
    dropIdleSockets(),
    hookConnections(load),
  ]
}

/** The interception of this process, shared by all copies of this package. */
export const interception: {
  end?: () => void
  /** Whether cassettes of this process answer, and not the gateway of the test that started it. */
  isOwn?: boolean
} = shared('installed')
