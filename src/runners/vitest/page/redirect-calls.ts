import { isLlmSocket, judgeUrl, type HostOptions } from '../../../transports/answer.ts'
import { refuse } from '../../../transports/refuse.ts'
import { addressOfCaught } from '../../../transports/address.ts'

/** The base address at which the gateway answers a request that is made now, or the reason to refuse it. */
export type GatewayDestination = () => { base: string } | { refused: string }

/** The page, or a frame in it. */
export type PageWindow = Window & typeof globalThis

/**
 * Redirects the LLM calls of a page (`fetch`, XMLHttpRequest, `sendBeacon`, WebSocket) to the gateway. Called once for
 * each page, and for each frame.
 */
export function redirectCalls(
  page: PageWindow,
  options: () => HostOptions,
  destination: GatewayDestination,
): void {
  const isCall = (method: string, url: string): boolean => judgeUrl(method, url, options()) !== 'no'
  redirectFetch(page, isCall, destination)
  redirectBeacons(page, isCall)
  redirectXhr(page, isCall, destination)
  redirectSockets(page, (url) => isLlmSocket(new URL(url), options()), destination)
}

type IsCall = (method: string, url: string) => boolean

function redirectFetch(page: PageWindow, isCall: IsCall, destination: GatewayDestination): void {
  const { fetch } = page
  page.fetch = async (input, init) => {
    // A request that was made in another frame is not an instance of `Request` here.
    const request = typeof input === 'object' && 'method' in input ? input : undefined
    const url = absolute(page, request?.url ?? (input as string | URL))
    const method = init?.method ?? request?.method ?? 'GET'
    if (!isCall(method.toUpperCase(), url)) return fetch(input, init)
    const to = destination()
    if ('refused' in to) return refuse(url, to.refused)
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
  page: PageWindow,
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

function absolute({ document }: PageWindow, url: string | URL): string {
  return new URL(url, document.baseURI).href
}
