import { isLlmSocket, judgeUrl, type HostOptions } from '../../intercept/call/llm-call.ts'
import { refuse } from '../../intercept/call/refuse.ts'
import { addressOfCaught } from '../../intercept/redirect/address.ts'

/** Gives the base address at which the gateway answers a request of the page, or the reason to refuse the request. */
export type Whom = () => { base: string } | { refused: string }

/** Redirects the LLM calls of a page (`fetch`, XMLHttpRequest, WebSocket) to the gateway. Called once for each page. */
export function redirectCalls(options: () => HostOptions, whom: Whom): void {
  const isCall = (method: string, url: string): boolean => judgeUrl(method, url, options()) !== 'no'
  redirectFetch(isCall, whom)
  redirectXhr(isCall, whom)
  redirectSockets((url) => isLlmSocket(new URL(url), options()), whom)
}

type IsCall = (method: string, url: string) => boolean

function redirectFetch(isCall: IsCall, whom: Whom): void {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const url = absolute(input instanceof Request ? input.url : input)
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    if (!isCall(method.toUpperCase(), url)) return fetch(input, init)
    const to = whom()
    if ('refused' in to) return refuse(url, to.refused)
    const address = addressOfCaught(to.base, url)
    const asked = input instanceof Request ? await initOf(new Request(input, init)) : init
    return Object.defineProperty(await fetch(address, asked), 'url', { value: url })
  }
}

/** The method, headers, signal and body of a request. */
async function initOf(request: Request): Promise<RequestInit> {
  const { method, headers, signal } = request
  const body = await request.arrayBuffer()
  return { method, headers, signal, ...(body.byteLength > 0 ? { body } : {}) }
}

function redirectXhr(isCall: IsCall, whom: Whom): void {
  const { open } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL, ...rest: unknown[]) {
    const asked = absolute(url)
    const address = isCall(method.toUpperCase(), asked) ? addressFor(asked, whom) : url
    return Reflect.apply(open, this, [method, address, ...rest]) as void
  }
}

function redirectSockets(isCall: (url: string) => boolean, whom: Whom): void {
  globalThis.WebSocket = new Proxy(WebSocket, {
    construct(target, [given, ...rest]: [string | URL, ...unknown[]], newTarget) {
      const url = absolute(given).replace(/^http/, 'ws')
      const address = isCall(url) ? addressFor(url, whom).replace(/^http/, 'ws') : given
      return Reflect.construct(target, [address, ...rest], newTarget) as object
    },
  })
}

function addressFor(url: string, whom: Whom): string {
  const to = whom()
  if ('refused' in to) throw new TypeError(to.refused)
  return addressOfCaught(to.base, url)
}

function absolute(url: string | URL): string {
  return new URL(url, document.baseURI).href
}
