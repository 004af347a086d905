import { web } from '../../../real/web.ts'
import { areTimersFaked } from '../../../real/clock.ts'
import { runInScope } from '../../scope.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { isRefusedByFetch } from '../call/new-request.ts'
import { isContextHeader } from '../context/carried-context.ts'
import { connectOutside } from '../patch/connect-outside.ts'
import { type Dispatcher, optionsOf, proxyDispatcher } from '../patch/dispatchers.ts'
import { currentAgent, hasOwnDispatcher, newDispatcher } from '../patch/own-dispatcher.ts'
import { othersIntercept } from '../patch/others-intercept.ts'
import {
  isBesideProxies,
  type OwnProxies,
  ownProxiesHere,
  authorization,
  proxyFor,
} from '../patch/own-proxies.ts'
import { otherHost, withoutConnection } from './headers.ts'
import { firstFetch, nodeFetch } from '../patch/intercept-fetch.ts'

/** Headers that no longer hold once fetch has decoded the body. */
const DECODED_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding']

/** The headers of a request that is sent on, without the hop-by-hop ones. */
export function withoutHopHeaders(
  headers: Iterable<[name: string, value: string]>,
): Array<[name: string, value: string]> {
  return withoutConnection(headers).filter(([name]) => !isContextHeader(name))
}

/** The options with which fetch sends a request on. A redirect is an answer, which the client follows. */
export function optionsToSendOn({ method, url, headers, body }: WholeRequest): RequestInit {
  const isEmpty = typeof body === 'string' ? body === '' : body.byteLength === 0
  const host = otherHost(url, headers)
  const sent = withoutHopHeaders(headers)
  return {
    method,
    headers: host === undefined ? sent : [...sent, ['host', host]],
    body: isEmpty ? null : body,
    redirect: 'manual',
  }
}

/** The headers of an answer that hold for its decoded body. That to a HEAD has none, and names the size of another. */
export function decodedHeaders({ headers }: Response, method?: string): Headers {
  const decoded = new web.Headers([...headers])
  if (method !== 'HEAD') for (const name of DECODED_HEADERS) decoded.delete(name)
  return decoded
}

/** Sends a request past interception. An MSW server of the user still sees it. */
export function fetchPastInterception(url: string, asked: RequestInit): Promise<Response> {
  return runInScope('upstream', async () => {
    if (process.versions.bun) return nodeFetch()!(url, asked)
    const [behind, outside] = othersIntercept() ? [] : [nodeFetch(), outsideDispatcher()]
    const { init, by } = withWhatFetchRefuses(asked)
    if (behind && outside) return behind(url, { ...init, dispatcher: by(outside) } as RequestInit)
    const dispatcher = by(upstreamDispatcher(url))
    // The fetch of a polyfill takes its own requests alone.
    const send = web.Request === globalThis.Request ? fetch : firstFetch()
    return send(url, dispatcher ? ({ ...init, dispatcher } as RequestInit) : init)
  })
}

/** What fetch is asked for a request, and what changes the dispatcher that it sends by. */
interface Sendable {
  init: RequestInit
  by(dispatcher: Dispatcher | undefined): Dispatcher | undefined
}

/** Lets fetch send a body with a GET, which it refuses, and a host, which it leaves out: its dispatcher gets them. */
function withWhatFetchRefuses(init: RequestInit): Sendable {
  const isRefused = isRefusedByFetch(init)
  const host = new web.Headers(init.headers).get('host')
  if (!isRefused && host === null) return { init, by: (dispatcher) => dispatcher }
  const method = isRefused ? { method: init.method } : {}
  const by = (dispatcher = currentAgent()): Dispatcher => {
    const agent = dispatcher as unknown as Dispatching
    const dispatch: Dispatching['dispatch'] = (request, handler) =>
      agent.dispatch(
        { ...request, ...method, ...(host && { headers: { ...request.headers, host } }) },
        handler,
      )
    return Object.create(agent, { dispatch: { value: dispatch } }) as Dispatcher
  }
  return { init: isRefused ? { ...init, method: 'POST' } : init, by }
}

/**
 * The dispatcher with which a recording sends through the mocks of others: through the proxy of the environment, which
 * tests do not use. Else a new one: the requests of tests would go out on its connections, and mocks that began after a
 * connection see nothing of it.
 */
function upstreamDispatcher(url: string): Dispatcher | undefined {
  const proxy = proxyDispatcher()
  if (proxy && !isBesideProxies(url)) return proxy
  const own = ownProxiesHere()
  if (own) return dispatcherBy(own, {})
  return newDispatcher()
}

/** The dispatchers of recordings, by the dispatcher of the application and the proxies of the user. */
const outside = new WeakMap<Dispatcher, Map<string, Dispatcher>>()

/** Sends by the proxies of the user. */
function dispatcherBy(own: OwnProxies, options: object): Dispatcher | undefined {
  const straight = newDispatcher({ ...options, connect: connectorBy(undefined) })
  const tunnels = newDispatcher({ ...options, connect: connectorBy(own) })
  return straight && tunnels && throughProxies(own, tunnels, straight)
}

/** Opens connections, by tunnels through the proxies of the user where they are named. */
function connectorBy(own: OwnProxies | undefined): unknown {
  return (target: Target, done: Connector) => connectOutside(target, done, own)
}

type Target = Parameters<typeof connectOutside>[0]
type Connector = Parameters<typeof connectOutside>[1]

/**
 * The dispatcher with which a recording sends past MSW, with the settings of the application's own; `undefined` where
 * that one has a proxy or connects in its own way.
 */
export function outsideDispatcher(): Dispatcher | undefined {
  const agent = currentAgent()
  if (!agent || proxyDispatcher() || hasOwnDispatcher(undefined)) return undefined
  const options = optionsOf(agent)
  if (!options || options.connect) return undefined
  const own = ownProxiesHere()
  const make = (): Dispatcher | undefined =>
    own
      ? dispatcherBy(own, options)
      : newDispatcher({ ...options, connect: connectorBy(undefined) })
  if (areTimersFaked()) return make()
  const known = outside.get(agent) ?? new Map<string, Dispatcher>()
  outside.set(agent, known)
  const key = own ? JSON.stringify(own) : ''
  const dispatcher = known.get(key) ?? make()
  if (dispatcher) known.set(key, dispatcher)
  return dispatcher
}

/** A request as fetch hands it to a dispatcher. */
interface Dispatched {
  origin: string | URL
  path: string
  method?: string | undefined
  headers?: Record<string, string> | null
}

/** The method of dispatchers by which fetch sends. */
interface Dispatching {
  dispatch(request: Dispatched, handler: unknown): boolean
}

/**
 * A dispatcher that sends what is not encrypted to the proxy itself, with the whole address, as curl and Python do: many
 * proxies open tunnels to port 443 alone.
 *
 * @param tunnels sends all else, by tunnels through the proxies
 * @param straight connects to the proxy
 */
function throughProxies(own: OwnProxies, tunnels: Dispatcher, straight: Dispatcher): Dispatcher {
  const [byTunnel, toProxy] = [tunnels, straight] as unknown as [Dispatching, Dispatching]
  const dispatch: Dispatching['dispatch'] = (request, handler) => {
    const { origin, path, headers } = request
    const { host, protocol, origin: asked } = new URL(origin)
    const proxy = protocol === 'http:' ? proxyFor(new URL(asked), own) : undefined
    if (!proxy || !/^https?:$/.test(proxy.protocol)) return byTunnel.dispatch(request, handler)
    return toProxy.dispatch(
      {
        ...request,
        origin: proxy.origin,
        path: asked + path,
        headers: { host, ...headers, ...authorization(proxy) },
      },
      handler,
    )
  }
  return Object.create(tunnels, { dispatch: { value: dispatch } }) as Dispatcher
}
