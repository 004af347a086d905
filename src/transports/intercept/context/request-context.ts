import type { Socket } from 'node:net'
import { captureCallSite } from '../../../errors.ts'
import { shared } from '../../../real/shared.ts'
import type { LlmCall } from '../../answer.ts'
import { following, type RecordedCall } from '../../follow-answers.ts'
import { closeRequest, nextOrder, openRequest, type OpenRequest } from '../../open-requests.ts'
import { currentScope, enterServedScope, type Scope } from '../../scope.ts'
import type { Listeners, UndiciRequest } from '../patch/channels.ts'
import { noteServed } from './own-servers.ts'

/** The facts about a request that are known only where the application creates it. */
export interface RequestContext {
  scope?: Scope
  /** Its number in the order of creation. */
  order: number
  /** An error whose stack names the line of the application. */
  callSite?: Error
  /** The verdict at the place that made it. */
  judged?: LlmCall
  /** The answer that it already got at another entrance. */
  answer?: Response
  /** Its entry among the open requests, until it is answered. */
  open?: OpenRequest
  /** Whether its client had left before an answer came when it was recorded, so that replay gives none. */
  isUnanswered?: boolean
  /** Whether it was answered here, or let pass. */
  isDecided?: boolean
  /** Whether its client got an answer before that: of a mock of the user. */
  isAnswered?: boolean
  /** Follows its answer, while it may be recorded. */
  call?: RecordedCall
  /** Whether it came by an address of `baseUrl()`: every request there belongs to the conversation. */
  isAtModel?: boolean
}

/** Carries the number of a request from its creation to its interception. */
const HEADER = 'x-vitest-cassette-request'

/** The message of a call site, whose stack alone counts. */
const ASKED = 'asked here'

/** The open requests of clients that tell when a request is given up. */
const opened: WeakMap<object, OpenRequest> = new WeakMap()

const contexts = shared('contexts', () => ({ byId: new Map<string, RequestContext>() }))

/**
 * What notes the context of requests at their creation. A pooled socket answers in the async context of the request that
 * opened it, so only the creation of a request tells its test. A server of this process makes its requests for the test
 * that is running.
 *
 * @param isLlmCall keeps headers of all other requests untouched.
 */
export function requestListeners(isLlmCall: (method: string, url: string) => boolean): Listeners {
  return {
    'undici:request:create': ({ request }: { request: UndiciRequest }) => {
      const url = String(request.origin) + request.path
      if (!isLlmCall(request.method, url)) return
      if (String(request.headers).includes(HEADER)) return
      const open = attachContext(`${request.method} ${url}`, (value) =>
        request.addHeader(HEADER, value),
      )
      // A request that becomes a socket is answered by the socket.
      if (request.upgrade) return closeRequest(open)
      if (!open) return
      opened.set(request, open)
      open.giveUp = (reason) => request.abort?.(reason)
    },
    'undici:request:error': ({ request }: { request: UndiciRequest }) =>
      closeRequest(opened.get(request)),
    'http.client.request.created': ({ request }: { request: NodeRequest }) => {
      const host = headerOfRequest(request, 'host') ?? request.host
      const url = `${request.protocol}//${host}${request.path}`
      if (!isLlmCall(request.method, url)) return
      const open = attachContext(`${request.method} ${url}`, (value) =>
        setHeader(request, HEADER, value),
      )
      if (open) opened.set(request, open)
      const context = open && contexts.byId.get(String(open.order))
      request.once('close', () => {
        if (!context || !request.res || context.isDecided) return
        context.isAnswered = true
        others.answer?.(url)
      })
      if (request.getHeader('upgrade') !== undefined) return closeRequest(open)
      request.once('close', () => closeRequest(open))
      if (!open) return
      open.giveUp = (reason) => request.destroy(reason)
      if (waitsToGoOn(request)) open.goOn = () => request.emit('continue')
    },
    'http.server.request.start': ({ server, socket }: { server: object; socket: Socket }) => {
      noteServed(socket)
      enterServedScope(server)
    },
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
  const open = attachContext(address, (value) => (headers[HEADER] = value))
  return { headers, end: () => closeRequest(open) }
}

/** A request that carries its answer to the next entrance. */
export function handOver(request: Request, context: RequestContext, answer: Response): Request {
  const id = String(context.order)
  contexts.byId.set(id, { ...context, callSite: context.callSite, answer })
  const headers = new Headers([...request.headers])
  headers.set(HEADER, id)
  return new Request(request, { headers })
}

/** The context of a request that is being created here. Its answer closes it. */
export function newContext(address: string): RequestContext {
  const context = contextOfArrival(currentScope(), address, captureCallSite(ASKED))
  return { ...context, call: following.follower?.begin() }
}

/**
 * The context of a request of another process: it counts from its arrival.
 *
 * @param callSite the line that started the process
 */
export function contextOfArrival(
  scope: Scope | undefined,
  address: string,
  callSite: Error,
): RequestContext {
  const order = nextOrder()
  return { scope, order, callSite, open: openRequest(scope, order, address) }
}

/**
 * The context of a request that is answered where it is created. Only requests that are not replayed need their call
 * site.
 */
export function contextHere(scope: Scope | undefined, judged: LlmCall): RequestContext {
  return new ContextHere(scope, judged)
}

class ContextHere implements RequestContext {
  scope: Scope | undefined
  readonly judged: LlmCall
  readonly order: number = nextOrder()
  readonly call?: RecordedCall = following.follower?.begin()
  open?: OpenRequest
  isUnanswered?: boolean
  #callSite?: Error

  constructor(scope: Scope | undefined, judged: LlmCall) {
    this.scope = scope
    this.judged = judged
  }

  get callSite(): Error {
    return (this.#callSite ??= captureCallSite(ASKED))
  }
}

/** Takes the context of an intercepted request. A request without one gets its number here. */
export function takeContext(request: Request): RequestContext {
  const id = request.headers.get(HEADER)
  const known = id === null ? undefined : contexts.byId.get(id)
  if (id !== null) {
    contexts.byId.delete(id)
    // A request that passes is sent with these headers.
    request.headers.delete(HEADER)
  }
  return known ?? { scope: currentScope(), order: nextOrder() }
}

/**
 * Takes the context of a request that its client sends though no entrance has read it: MSW lets pass what it cannot read.
 * Whatever a recording sends itself has no context.
 */
export function takeUnread(headers: ReadonlyMap<string, string>): RequestContext | undefined {
  const id = headers.get(HEADER) ?? ''
  const context = contexts.byId.get(id)
  if (!context) return undefined
  contexts.byId.delete(id)
  context.isDecided = true
  return context
}

/** True for headers that must never leave the process. */
export function isContextHeader(name: string): boolean {
  return name === HEADER
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
  contexts.byId.set(String(order), { scope, order, callSite: captureCallSite(ASKED), open, call })
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

/** Whether a request waits for the server to say `100 Continue` before it sends its body. */
function waitsToGoOn(request: NodeRequest): boolean {
  return /^100-continue$/i.test(headerOfRequest(request, 'expect') ?? '')
}

/** Adds a header to a request that is being created, written or not. */
export function setHeader(request: NodeRequest, name: string, value: string): void {
  const { _header: written, outputData: [first] = [] } = request
  if (typeof written !== 'string') return request.setHeader(name, value)
  const marked = written.replace(/\r\n\r\n$/, `\r\n${name}: ${value}\r\n\r\n`)
  if (first?.data === written) first.data = marked
  request._header = marked
}

/** Hears of LLM calls that others answer in our place: mocks and stubs. Set while recording alone. */
export const others = shared<{
  /** Watches a call that may not get to us. */
  watch?: (url: string, ask: () => Promise<Response>) => Promise<Response>
  /** Others have answered a call that had come here. */
  answer?: (url: string) => void
  /** The call that is watched here has got to us. */
  reach?: () => void
}>('others', () => ({}))
