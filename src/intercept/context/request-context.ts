import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { closeRequest, openRequest, type OpenRequest } from './open-requests.ts'
import type { LlmCall } from '../call/llm-call.ts'
import { currentScope, type Scope } from './scope.ts'
import { shared } from '../patch/shared.ts'
import { hostWritten, setHeader, type NodeRequest } from './written-headers.ts'

/** What is known of a request where the application creates it, and nowhere later. */
export interface RequestContext {
  scope?: Scope
  /** Counts requests in the order of their creation. */
  order: number
  /** Its stack names the line of the application that asked. */
  callSite?: Error
  /** How it was judged where it was made. */
  judged?: LlmCall
  /** The answer that it got at another entrance, and takes along. */
  answer?: Response
  /** Counts it as long as it has no answer. */
  open?: OpenRequest
  /** In its recording its client left before there was an answer, so there is none. */
  isUnanswered?: boolean
  /** It came by an address that was given out for a model's: all that is asked there belongs to the conversation. */
  isAtModel?: boolean
}

/** Carries the number of a request from its creation to its interception. */
const HEADER = 'x-vitest-cassette-request'

/** Enough for the frames of an SDK and of the code that called it. */
const STACK_FRAMES = 50

/** What counts the requests of clients that say when they are given up. */
const opened: WeakMap<object, OpenRequest> = new WeakMap()

const contexts = shared('contexts', () => ({ created: 0, byId: new Map<string, RequestContext>() }))

/**
 * Notes the context of requests at their creation. A pooled socket answers in the async context of whoever opened
 * it, so the test that made a request is known only there.
 *
 * @param isLlmCall keeps headers of all other requests untouched.
 * @returns ends it.
 */
export function trackRequests(isLlmCall: (method: string, url: string) => boolean): () => void {
  const listeners = {
    'undici:request:create': (message: unknown) => {
      const { request } = message as { request: UndiciRequest }
      const url = String(request.origin) + request.path
      if (!isLlmCall(request.method, url)) return
      if (String(request.headers).includes(HEADER)) return
      const open = attachContext(`${request.method} ${url}`, (value) =>
        request.addHeader(HEADER, value),
      )
      // What is about to become a socket ends when that does.
      if (request.upgrade) return closeRequest(open)
      if (!open) return
      opened.set(request, open)
      open.giveUp = (reason) => request.abort?.(reason)
    },
    'undici:request:error': (message: unknown) =>
      closeRequest(opened.get((message as { request: UndiciRequest }).request)),
    'http.client.request.created': (message: unknown) => {
      const { request } = message as { request: NodeRequest }
      const host = request.getHeader('host') ?? hostWritten(request) ?? request.host
      const url = `${request.protocol}//${String(host)}${request.path}`
      if (!isLlmCall(request.method, url)) return
      const open = attachContext(`${request.method} ${url}`, (value) =>
        setHeader(request, HEADER, value),
      )
      if (request.getHeader('upgrade') !== undefined) return closeRequest(open)
      request.once('close', () => closeRequest(open))
      if (open) open.giveUp = (reason) => request.destroy(reason)
    },
  }
  const entries = Object.entries(listeners)
  for (const [channel, listener] of entries) subscribe(channel, listener)
  return () => {
    for (const [channel, listener] of entries) unsubscribe(channel, listener)
  }
}

/** The header that carries the context of a request which is being created here, for clients without a channel of their own. */
export function contextHeaders(address: string): {
  headers: Record<string, string>
  /** To be called when the request is given up. */
  end: () => void
} {
  const headers: Record<string, string> = {}
  const open = attachContext(address, (value) => (headers[HEADER] = value))
  return { headers, end: () => closeRequest(open) }
}

/** A request that takes its answer along, to the entrance at which it is asked next. */
export function handOver(request: Request, context: RequestContext, answer: Response): Request {
  const id = String(context.order)
  contexts.byId.set(id, { ...context, callSite: context.callSite, answer })
  const headers = new Headers([...request.headers])
  headers.set(HEADER, id)
  return new Request(request, { headers })
}

/** The place of what is created here among all that was created. */
export function nextOrder(): number {
  return ++contexts.created
}

/** The context of a request that is being created here. Its answer closes it. */
export function newContext(address: string): RequestContext {
  const [scope, order] = [currentScope(), nextOrder()]
  return { scope, order, callSite: captureCallSite(), open: openRequest(scope, order, address) }
}

/**
 * The context of a request of another process: it counts from its arrival.
 *
 * @param callSite the line that started the process
 */
export function contextOfArrival(scope: Scope, address: string, callSite?: Error): RequestContext {
  const order = nextOrder()
  return { scope, order, callSite, open: openRequest(scope, order, address) }
}

/** The context of a request that is answered where it is created. Only a request that is not replayed needs its call site. */
export function contextHere(scope: Scope | undefined, judged: LlmCall): RequestContext {
  return new ContextHere(scope, judged)
}

class ContextHere implements RequestContext {
  readonly scope: Scope | undefined
  readonly judged: LlmCall
  readonly order: number = nextOrder()
  open?: OpenRequest
  isUnanswered?: boolean
  #callSite?: Error

  constructor(scope: Scope | undefined, judged: LlmCall) {
    this.scope = scope
    this.judged = judged
  }

  get callSite(): Error {
    return (this.#callSite ??= captureCallSite())
  }
}

/** Takes the context of an intercepted request; one that has none gets its place here. */
export function takeContext(request: Request): RequestContext {
  const id = request.headers.get(HEADER)
  const known = id === null ? undefined : contexts.byId.get(id)
  if (id !== null) {
    contexts.byId.delete(id)
    // Interception sends a request that passes with the headers that it has here.
    request.headers.delete(HEADER)
  }
  return known ?? { scope: currentScope(), order: nextOrder() }
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
    // A request whose headers are closed goes without: its context is then read at interception.
    return undefined
  }
  const open = openRequest(scope, order, address)
  contexts.byId.set(String(order), { scope, order, callSite: captureCallSite(), open })
  return open
}

/** The line that runs now, in the stack of an error. */
export function captureCallSite(what: string = 'asked here'): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = STACK_FRAMES
  const callSite = new Error(what)
  Error.stackTraceLimit = stackTraceLimit
  return callSite
}

interface UndiciRequest {
  method: string
  origin: string | URL
  path: string
  headers: unknown
  /** The protocol that it asks for in the place of HTTP. */
  upgrade?: string | null
  addHeader(name: string, value: string): void
  abort?(reason: Error): void
}
