import { isLlmSocket, judgeUrl, type HostOptions } from '../../../transports/address.ts'
import { refuse } from '../../../transports/refuse.ts'
import { addressOfCaught } from '../../../transports/address.ts'

/** The base address at which the gateway answers a request that is made now, or the reason to refuse it. */
export type GatewayDestination = () => { base: string } | { refused: string }

/** The page, or a frame in it. */
export type PageWindow = Window & typeof globalThis

/** The clients that pages and Workers share. A Worker has no document. */
export type Clients = Pick<PageWindow, 'fetch' | 'WebSocket'> & { document?: Document }

/**
 * Redirects the LLM calls of a page (`fetch`, XMLHttpRequest, `sendBeacon`, WebSocket) to the gateway. Called once for
 * each page, and for each frame.
 */
export function redirectCalls(
  page: PageWindow,
  options: () => HostOptions,
  destination: GatewayDestination,
): void {
  redirectClients(page, options, destination)
  const isCall = isCallUnder(options)
  redirectBeacons(page, isCall)
  redirectXhr(page, isCall, destination)
}

/** Redirects the LLM calls by `fetch` and WebSocket to the gateway. */
export function redirectClients(
  clients: Clients,
  options: () => HostOptions,
  destination: GatewayDestination,
): void {
  const isSocket = (url: string): boolean => isLlmSocket(new URL(url), options())
  redirectFetch(clients, isCallUnder(options), isSocket, destination)
  redirectSockets(clients, isSocket, destination)
}

function isCallUnder(options: () => HostOptions): IsCall {
  return (method, url) => judgeUrl(method, url, options()) !== 'no'
}

type IsCall = (method: string, url: string) => boolean

function redirectFetch(
  page: Clients,
  isCall: IsCall,
  isSocket: (url: string) => boolean,
  destination: GatewayDestination,
): void {
  const { fetch } = page
  page.fetch = async (input, init) => {
    // A request that was made in another frame is not an instance of `Request` here.
    const request = typeof input === 'object' && 'method' in input ? input : undefined
    const url = absolute(page, request?.url ?? (input as string | URL))
    const method = init?.method ?? request?.method ?? 'GET'
    // Workers open a WebSocket by fetch too.
    const opensSocket = (): boolean =>
      new Headers(init?.headers ?? request?.headers).has('upgrade') && isSocket(url)
    if (!isCall(method.toUpperCase(), url) && !opensSocket()) return fetch(input, init)
    const to = destination()
    if ('refused' in to) return refuse(url, to.refused, globalThis)
    const address = addressOfCaught(to.base, url)
    const asked = request ? await initOf(new Request(request, init)) : init
    return Object.defineProperty(await fetch(address, asked), 'url', { value: url })
  }
}

/** The method, headers, signal and body of a request. */
async function initOf(request: Request): Promise<RequestInit> {
  const { method, headers, signal } = request
  const body = await request.arrayBuffer()
  return { method, headers, signal, ...(body.byteLength > 0 ? { body } : {}) }
}

function redirectBeacons(page: PageWindow, isCall: IsCall): void {
  const { navigator } = page
  const sendBeacon = navigator.sendBeacon.bind(navigator)
  navigator.sendBeacon = (url, body) => {
    if (!isCall('POST', absolute(page, url))) return sendBeacon(url, body)
    page.fetch(url, { method: 'POST', body: body ?? null }).catch(() => {})
    return true
  }
}

function redirectXhr(page: PageWindow, isCall: IsCall, destination: GatewayDestination): void {
  const { prototype } = page.XMLHttpRequest
  const { open } = prototype
  prototype.open = function (method: string, url: string | URL, ...rest: unknown[]) {
    const asked = absolute(page, url)
    const address = isCall(method.toUpperCase(), asked) ? addressFor(asked, destination) : url
    return Reflect.apply(open, this, [method, address, ...rest]) as void
  }
}

function redirectSockets(
  page: Clients,
  isCall: (url: string) => boolean,
  destination: GatewayDestination,
): void {
  page.WebSocket = new Proxy(page.WebSocket, {
    construct(target, [given, ...rest]: [string | URL, ...unknown[]], newTarget) {
      const url = absolute(page, given).replace(/^http/, 'ws')
      const address = isCall(url) ? addressFor(url, destination).replace(/^http/, 'ws') : given
      return Reflect.construct(target, [address, ...rest], newTarget) as object
    },
  })
}

function addressFor(url: string, destination: GatewayDestination): string {
  const to = destination()
  if ('refused' in to) throw new TypeError(to.refused)
  return addressOfCaught(to.base, url)
}

function absolute({ document }: Pick<Clients, 'document'>, url: string | URL): string {
  return new URL(url, document?.baseURI).href
}
