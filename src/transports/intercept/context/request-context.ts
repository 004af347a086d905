import { web } from '../../../real/web.ts'
import type { AsyncLocalStorage } from 'node:async_hooks'
import { captureCallSite } from '../../../errors.ts'
import { shared } from '../../../real/shared.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import type { SentHeaders } from '../../../secrets/wire-request.ts'
import type { LlmCall } from '../call/judge-address.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import type { SlowWay } from '../../../engine/session-contract.ts'
import type { Connection } from '../guard/guard-policy.ts'
import { nextOrder, openRequest, type OpenRequest } from '../../open-requests.ts'
import { following, type RecordedCall } from '../../follow-answers.ts'
import { currentScope, type Scope } from '../../scope.ts'

/** Runs a function in an async context that was kept. */
export type InContext = <Args extends unknown[]>(
  run: (...args: Args) => void,
  ...args: Args
) => void

/** The facts about a request that are known only where the application creates it. */
export interface RequestContext {
  scope?: Scope
  /** Its number in the order of creation. */
  order: number
  /** An error whose stack names the line of the application. */
  callSite?: Error
  /** The command line of the program that asks, where it is another one. */
  askedBy?: string
  /** Runs a function in the async context in which it was made: a connection that others share has that of its opener. */
  inContext?: InContext
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
  /** What keeps it from being replayed by its hash. */
  way?: SlowWay | undefined
  /** Whether it was looked up by its hash. */
  isLookedUp?: boolean
}

/** Carries the number of a request from its creation to its interception. */
export const CONTEXT_HEADER = 'x-vitest-cassette-request'

export const contexts = shared('contexts', () => ({
  /** Those of requests that have not come to us, by their numbers. */
  byId: new Map<string, RequestContext>(),
  /**
   * The scopes of those that were answered by a redirect. Fetch keeps the number when it follows one, and may do so on a
   * connection that an earlier test has opened.
   */
  led: new Map<string, WeakRef<Attempt>>(),
}))

/** The message of a call site, whose stack alone counts. */
export const ASKED = 'asked here'

/** A request that carries its answer to the next entrance. */
export function handOver(request: Request, context: RequestContext, answer: Response): Request {
  const id = String(context.order)
  contexts.byId.set(id, { ...context, callSite: context.callSite, answer })
  const headers = new web.Headers([...request.headers])
  headers.set(CONTEXT_HEADER, id)
  return new web.Request(request, { headers })
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
 * @param askedBy its command line
 */
export function contextOfArrival(
  scope: Scope | undefined,
  address: string,
  callSite: Error,
  askedBy?: string,
): RequestContext {
  const order = nextOrder()
  return { scope, order, callSite, askedBy, open: openRequest(scope, order, address) }
}

/**
 * The context of a request that is answered where it is created. Only requests that are not replayed need their call
 * site.
 */
export class ContextHere implements RequestContext {
  scope: Scope | undefined
  readonly judged: LlmCall
  readonly order: number = nextOrder()
  readonly call?: RecordedCall = following.follower?.begin()
  open?: OpenRequest
  isUnanswered?: boolean
  way?: SlowWay | undefined
  #callSite?: Error

  constructor(scope: Scope | undefined, judged: LlmCall) {
    this.scope = scope
    this.judged = judged
  }

  get callSite(): Error {
    return (this.#callSite ??= captureCallSite(ASKED))
  }
}

/** Hears of LLM calls that others answer in our place: mocks and stubs. Set while recording alone. */
export const others = shared<{
  /** Watches a call that may not get to us. */
  watch?: (url: string, ask: () => Promise<Response>) => Promise<Response>
  /** Others have answered a call that had come here. */
  answer?: (url: string) => void
  /** Holds what hears that a mock answers a recording itself, in the place of the provider. */
  traces?: AsyncLocalStorage<() => void>
  /** The call that is watched here has got to us. */
  reach?: () => void
  /** A request has come to a socket. Returns what notes that it passes; `undefined` for one that tells nothing. */
  pass?: (request: Request) => (() => void) | undefined
}>('others')

/** A request that is no LLM call. */
export interface OtherRequest {
  method: string
  url: string
  headers: SentHeaders
}

/** Refuses what leaves this machine, where the option `network` closes it: see `closed-layer.ts`. Set for such files alone. */
export const closed = shared<{
  /** Whether replay refuses requests to an address. */
  isRefusedAt?: (address: string) => boolean
  /** Whether replay refuses requests to an address, and a recording notes them. */
  isSeenAt?: (address: string) => boolean
  /** Refuses a request, which fails its test; `undefined` lets it pass. */
  answer?: (
    request: OtherRequest,
    context: RequestContext,
    config: ResolvedConfig,
  ) => Response | undefined
  /** Whether replay refuses a connection. */
  isOutside?: (connection: Connection, config: ResolvedConfig) => boolean
  /** Refuses a connection, which fails its test; `undefined` lets it pass. */
  judge?: (
    connection: Connection,
    scope: Scope | undefined,
    config: ResolvedConfig,
  ) => Error | undefined
}>('closed')
