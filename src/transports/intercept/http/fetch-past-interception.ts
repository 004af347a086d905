import { areTimersFaked } from '../../../real/clock.ts'
import { loadPackage } from '../../../real/load-later.ts'
import { isInVmPool } from '../../../real/shared.ts'
import { runInScope } from '../../scope.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { isContextHeader } from '../context/carried-context.ts'
import { connectOutside } from '../patch/connect-outside.ts'
import {
  currentAgent,
  type Dispatcher,
  hasOwnDispatcher,
  newDispatcher,
  optionsOf,
  proxyDispatcher,
} from '../patch/dispatchers.ts'
import { othersIntercept } from '../patch/outside-of-msw.ts'
import {
  isBesideProxies,
  type OwnProxies,
  ownProxiesHere,
  authorization,
  proxyFor,
} from '../patch/own-proxies.ts'
import { withoutConnection } from './headers.ts'
import { nodeFetch } from '../patch/intercept-fetch.ts'

/** Headers that no longer hold once fetch has decoded the body. */
const DECODED_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding']

/** The headers of a request that is sent on, without the hop-by-hop ones. */
export function withoutHopHeaders(
  headers: Iterable<[name: string, value: string]>,
): Array<[name: string, value: string]> {
  return withoutConnection(headers).filter(([name]) => !isContextHeader(name))
}

/** The options with which fetch sends a request on. A redirect is an answer, which the client follows. */
export function optionsToSendOn({ method, headers, body }: WholeRequest): RequestInit {
  const isEmpty = typeof body === 'string' ? body === '' : body.byteLength === 0
  return {
    method,
    headers: withoutHopHeaders(headers),
    body: isEmpty ? null : body,
    redirect: 'manual',
  }
}

/** The headers of an answer that hold for its decoded body. That to a HEAD has none, and names the size of another. */
export function decodedHeaders({ headers }: Response, method?: string): Headers {
  const decoded = new Headers([...headers])
  if (method !== 'HEAD') for (const name of DECODED_HEADERS) decoded.delete(name)
  return decoded
}

/** Sends a request past interception. An MSW server of the user still sees it. */
export function fetchPastInterception(url: string, init: RequestInit): Promise<Response> {
  return runInScope('upstream', async () => {
    if (process.versions.bun) return nodeFetch()!(url, init)
    const [behind, dispatcher] = othersIntercept() ? [] : [nodeFetch(), outsideDispatcher()]
    if (behind && dispatcher) return behind(url, { ...init, dispatcher } as RequestInit)
    // MSW loads here, since replay does not need it. In a vm pool, it has to make requests of the context of the test.
    const { bypass } = isInVmPool()
      ? await import('msw/utils/bypass')
      : (loadPackage('msw/utils/bypass') as typeof import('msw/utils/bypass'))
    return fetch(bypass(url, init), upstreamDispatcher(url))
  })
}

/**
 * The options with which a recording sends through MSW: through the proxy of the environment, which tests do not use,
 * and without idle connections while timers are faked, since fetch reuses those with a timer.
 */
function upstreamDispatcher(url: string): object {
  const proxy = proxyDispatcher()
  if (proxy && !isBesideProxies(url)) return { dispatcher: proxy }
  const own = ownProxiesHere()
  if (own) return { dispatcher: dispatcherBy(own, {}) }
  return areTimersFaked() ? { dispatcher: newDispatcher() } : {}
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
        headers: { ...headers, host, ...authorization(proxy) },
      },
      handler,
    )
  }
  return Object.create(tunnels, { dispatch: { value: dispatch } }) as Dispatcher
}
