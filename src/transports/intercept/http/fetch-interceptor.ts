import { withRealValues } from '../../../real/real-world.ts'
import { web } from '../../../real/web.ts'
import type { LlmCall } from '../call/judge-address.ts'
import type { Scope } from '../../scope.ts'
import { isFetched } from '../call/fetched-response.ts'
import { ContextHere, others, type RequestContext } from '../context/request-context.ts'
import { hasOwnDispatcher } from '../patch/own-dispatcher.ts'
import type { askByRequest, deliverLater } from './deliver-fetch.ts'
import type { replayDecoded } from '../answer/replay-decoded.ts'
import { type PlainRequest, plainRequest, readOnce } from './plain-request.ts'

export interface FetchAnswers {
  /** Judges a request by its address and its scope. */
  judge(method: string, url: string, scope: Scope | undefined): LlmCall
  /** Answers a request, synchronously where possible; `undefined` lets it pass. */
  answer(
    request: Request | PlainRequest,
    context: RequestContext,
  ): Response | Promise<Response | undefined> | undefined
  /** Loads what delivers an answer that does not come at once. */
  later(): {
    askByRequest: typeof askByRequest
    deliverLater: typeof deliverLater
    /** Replays an exchange that its text alone does not tell; absent where no cassette of this process answers. */
    replayDecoded?: typeof replayDecoded
  }
  /** Replays a request by its hash, or answers as {@link answerFetch}; absent where no cassette of this process answers. */
  sealed?: typeof answerFetch
  /** The same for code that runs with real values already, and whose errors fail the test. */
  inner?: Pick<FetchAnswers, 'judge' | 'answer'>
}

type Fetch = typeof globalThis.fetch

/** Where a call of fetch was made, and what answers it. */
export interface FetchCall {
  scope: Scope | undefined
  original: Fetch
  answers: FetchAnswers
}

/**
 * Answers LLM calls by the global fetch without a socket, which is many times faster. Other calls go on to the socket:
 * other requests, another fetch or dispatcher of the test, the fetch of a DOM environment.
 */
export function answerFetch(
  input: string | URL | Request,
  init: RequestInit | undefined,
  call: FetchCall,
): Promise<Response> {
  return readOnce(init, (own) => answerRead(input, own, call))
}

/** As {@link answerFetch}, for options that {@link readOnce} has copied. */
export function answerRead(
  input: string | URL | Request,
  init: RequestInit | undefined,
  call: FetchCall,
): Promise<Response> {
  const taken = withRealValues(() => take(input, init, call))
  return typeof taken === 'function' ? taken() : Promise.resolve(taken)
}

/** The answer that is known at once, or what is left to do where it is not. */
function take(
  input: string | URL | Request,
  init: RequestInit | undefined,
  { scope, original, answers }: FetchCall,
): Response | (() => Promise<Response>) {
  // To look at the global class loads Node's clients, which a fetch of the test may not need.
  const address = typeof input === 'object' && input instanceof Request ? input.url : String(input)
  const { judge, answer } = answers.inner ?? answers
  const judged = judge(methodOf(input, init), address, scope)
  const send = (): Promise<Response> => original(input, init)
  if (judged === 'no') return send
  if (hasOwnDispatcher(init)) return () => (others.watch ? others.watch(address, send) : send())
  others.reach?.()
  const plain = plainRequest(input, init)
  if (!plain) return () => answers.later().askByRequest(input, init, address, original, answers)
  const context = new ContextHere(scope, judged)
  const answered = answer(plain, context)
  if (isFetched(answered)) return answered
  // Read now: the caller still owns what it gave, and may change it for its next call.
  const own = { ...init, headers: [...plain.headers], body: plain.body }
  const requestOf = (): Request => new web.Request(plain.url, own)
  return () => answers.later().deliverLater(answered, plain, context, original, requestOf)
}

export function methodOf(input: unknown, init: RequestInit | undefined): string {
  return String(
    init?.method ?? (typeof input === 'object' && input instanceof Request ? input.method : 'GET'),
  ).toUpperCase()
}
