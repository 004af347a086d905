import type { Dispatcher } from '../patch/dispatchers.ts'
import { authorization, type OwnProxies, proxyFor } from '../patch/own-proxies.ts'

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
export function throughProxies(
  own: OwnProxies,
  tunnels: Dispatcher,
  straight: Dispatcher,
): Dispatcher {
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
