import { AsyncLocalStorage } from 'node:async_hooks'
import { captureCallSite } from '../../../errors.ts'
import { closeRequest, nextOrder, openRequest, type OpenRequest } from '../../open-requests.ts'
import { following } from '../../follow-answers.ts'
import { currentScope } from '../../scope.ts'
import type { Listeners, UndiciRequest } from '../patch/channels.ts'
import {
  ASKED,
  closed,
  CONTEXT_HEADER,
  contexts,
  others,
  type RequestContext,
} from './request-context.ts'
import { enterServedScope } from './served-scope.ts'

/** The open requests of clients that tell when a request is given up. */
const opened: WeakMap<object, OpenRequest> = new WeakMap()

/**
 * What notes the context of requests at their creation. A pooled socket answers in the async context of the request that
 * opened it, so only the creation of a request tells its test. A server of this process makes its requests for the test
 * that is running.
 *
 * @param isLlmCall keeps headers of all other requests untouched.
 */
export function requestListeners(
  isLlmCall: (method: string, url: string) => boolean,
  isLlmSocket: (url: URL) => boolean = () => false,
): Listeners {
  return {
    'undici:request:create': ({ request }: { request: UndiciRequest }) => {
      const url = String(request.origin) + request.path
      const isSocket = Boolean(request.upgrade) && isLlmSocket(new URL(url))
      if (!isSocket && !isLlmCall(request.method, url) && !closed.isRefusedAt?.(url)) return
      if (String(request.headers).includes(CONTEXT_HEADER)) return
      const open = attachContext(`${request.method} ${url}`, (value) =>
        request.addHeader(CONTEXT_HEADER, value),
      )
      // A request that becomes another socket is answered by the socket.
      if (request.upgrade && !isSocket) return closeRequest(open)
      if (!open) return
      opened.set(request, open)
      open.giveUp = (reason) => request.abort?.(reason)
    },
    'undici:request:error': ({ request }: { request: UndiciRequest }) =>
      closeRequest(opened.get(request)),
    'http.client.request.created': ({ request }: { request: NodeRequest }) => {
      const host = headerOfRequest(request, 'host') ?? request.host
      const url = `${request.protocol}//${host}${request.path}`
      // The header can name another host than that of the connection, whose port no field of the request tells.
      const isOther = URL.parse(url)?.hostname !== request.host
      const target = isOther ? `${request.protocol}//${request.host}${request.path}` : url
      const isUpgrade = headerOfRequest(request, 'upgrade') !== undefined
      const isSocket = isUpgrade && URL.canParse(target) && isLlmSocket(new URL(target))
      const isAsked =
        isSocket || isLlmCall(request.method, url) || isLlmCall(request.method, target)
      if (!isAsked && !closed.isRefusedAt?.(target)) return
      const open = attachContext(`${request.method} ${url}`, (value) =>
        setHeader(request, CONTEXT_HEADER, value),
      )
      if (open) opened.set(request, open)
      // A request that becomes another socket is answered by the socket, and recorded with it.
      if (isUpgrade && !isSocket) return closeRequest(open)
      const context = open && contexts.byId.get(String(open.order))
      request.once('close', () => {
        if (!context || !request.res || context.isDecided) return
        context.isAnswered = true
        others.answer?.(url)
      })
      request.once('close', () => closeRequest(open))
      if (!open) return
      open.giveUp = (reason) => request.destroy(reason)
    },
    'http.server.request.start': ({ server }: { server: object }) => enterServedScope(server),
  }
}

/** Whether a request was noted at its creation, and has not come to us since. */
export function isUntaken(request: object): boolean {
  const open = opened.get(request)
  return open !== undefined && contexts.byId.has(String(open.order))
}

/** The header with the context of a request that is being created here, for clients without a diagnostics channel. */
export function contextHeaders(address: string): {
  headers: Record<string, string>
  /** Has to be called when the request is given up. */
  end: () => void
} {
  const headers: Record<string, string> = {}
  const open = attachContext(address, (value) => (headers[CONTEXT_HEADER] = value))
  return { headers, end: () => closeRequest(open) }
}

/** What was noted of a request when it was made, and has not been taken yet. */
export function contextIn(headers: Headers): RequestContext | undefined {
  return contexts.byId.get(headers.get(CONTEXT_HEADER) ?? '')
}

/** Takes the context of an intercepted request. A request without one gets its number here. */
export function takeContext(request: Pick<Request, 'headers'>): RequestContext {
  const id = request.headers.get(CONTEXT_HEADER)
  if (id === null) return { scope: currentScope(), order: nextOrder() }
  const known = contexts.byId.get(id)
  contexts.byId.delete(id)
  // A request that passes is sent with these headers.
  request.headers.delete(CONTEXT_HEADER)
  if (typeof known?.scope === 'object' && known.answer)
    contexts.led.set(id, new WeakRef(known.scope))
  return known ?? { scope: contexts.led.get(id)?.deref() ?? currentScope(), order: nextOrder() }
}

/**
 * Takes the context of a request that its client sends though no entrance has read it: MSW lets pass what it cannot read.
 * Whatever a recording sends itself has no context.
 */
export function takeUnread(headers: ReadonlyMap<string, string>): RequestContext | undefined {
  const id = headers.get(CONTEXT_HEADER) ?? ''
  const context = contexts.byId.get(id)
  if (!context) return undefined
  contexts.byId.delete(id)
  context.isDecided = true
  return context
}

/** True for headers that must never leave the process. */
export function isContextHeader(name: string): boolean {
  return name === CONTEXT_HEADER
}

function attachContext(
  address: string,
  addHeader: (value: string) => void,
): OpenRequest | undefined {
  const scope = currentScope()
  if (scope === 'upstream') return undefined
  const order = nextOrder()
  try {
    addHeader(String(order))
  } catch {
    // The headers of the request are closed, so interception makes its context.
    return undefined
  }
  const open = openRequest(scope, order, address)
  const call = following.follower?.begin()
  const callSite = captureCallSite(ASKED)
  const inContext = AsyncLocalStorage.snapshot()
  contexts.byId.set(String(order), { scope, order, callSite, open, call, inContext })
  return open
}

/**
 * A request of `node:http`. With headers given as a list, or with `Expect: 100-continue`, it has written them when it
 * is created, and `setHeader` fails.
 */
export interface NodeRequest {
  method: string
  protocol: string
  host: string
  path: string
  /** Its answer, once there is one. */
  res?: object | null
  once(event: 'close', listener: () => void): unknown
  emit(event: 'continue'): unknown
  destroy(reason: Error): void
  getHeader(name: string): unknown
  setHeader(name: string, value: string): void
  /** The first line and the headers, as they are written. */
  _header?: string | null
  /** The data that waits for the connection: the headers first, where they are written. */
  outputData?: Array<{ data: unknown }>
}

/** A header of a request that is being created, written or not. */
export function headerOfRequest(request: NodeRequest, name: string): string | undefined {
  const given = request.getHeader(name)
  if (given !== undefined) return String(given)
  return new RegExp(`^${name}: *(\\S+)`, 'im').exec(request._header ?? '')?.[1]
}

/** Adds a header to a request that is being created, written or not. */
export function setHeader(request: NodeRequest, name: string, value: string): void {
  const { _header: written, outputData: [first] = [] } = request
  if (typeof written !== 'string') return request.setHeader(name, value)
  const marked = written.replace(/\r\n\r\n$/, `\r\n${name}: ${value}\r\n\r\n`)
  if (first?.data === written) first.data = marked
  request._header = marked
}
