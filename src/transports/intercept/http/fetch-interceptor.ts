import { withRealValues } from '../../../real/real-world.ts'
import { web } from '../../../real/web.ts'
import type { LlmCall } from '../call/judge-address.ts'
import type { Scope } from '../../scope.ts'
import { isFetched } from '../call/fetched-response.ts'
import type { SentHeaders } from '../../../secrets/wire-request.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { ContextHere, others, type RequestContext } from '../context/request-context.ts'
import { hasOwnDispatcher } from '../patch/own-dispatcher.ts'
import type { askByRequest, deliverLater } from './deliver-fetch.ts'

export interface FetchAnswers {
  /** Judges a request by its address and its scope. */
  judge(method: string, url: string, scope: Scope | undefined): LlmCall
  /** Answers a request, synchronously where possible; `undefined` lets it pass. */
  answer(
    request: Request | PlainRequest,
    context: RequestContext,
  ): Response | Promise<Response | undefined> | undefined
  /** Loads what delivers an answer that does not come at once. */
  later(): { askByRequest: typeof askByRequest; deliverLater: typeof deliverLater }
  /** The same for code that runs with real values already, and whose errors fail the test. */
  inner?: Pick<FetchAnswers, 'judge' | 'answer'>
}

type Fetch = typeof globalThis.fetch

/** Where a call of fetch was made, and what answers it. */
interface FetchCall {
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
  let own: RequestInit | undefined
  try {
    own = readOnce(init)
  } catch (error) {
    return Promise.reject(error as Error)
  }
  const taken = withRealValues(() => take(input, own, call))
  return typeof taken === 'function' ? taken() : Promise.resolve(taken)
}

/** The options that fetch reads; a class can have some as getters. */
const FIELDS =
  'method headers body referrer referrerPolicy mode credentials cache redirect integrity keepalive signal window duplex dispatcher priority'.split(
    ' ',
  ) as Array<keyof RequestInit>

/** Copies the options of a call: fetch reads each once, and the next read of a getter can give another value. */
function readOnce(init: RequestInit | undefined): RequestInit | undefined {
  if (!init || typeof init !== 'object') return init
  const own: Record<string, unknown> = { ...init }
  for (const name of FIELDS) if (name in init && !(name in own)) own[name] = init[name]
  return own
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

/** A JSON text posted by fetch, complete when fetch is called. Most LLM calls are one. */
export interface PlainRequest extends WholeRequest {
  body: string
}

/** The options of fetch that a plain request can have. Fetch itself reads a call with any other option. */
const PLAIN_FIELDS = new Set(['method', 'headers', 'body', 'signal', 'duplex', 'keepalive'])

/** Of any make: a polyfill of `AbortController` can have come before Node's own clients. */
function isSignal(signal: AbortSignal): boolean {
  return typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function'
}

/** An address with a name or a password before its host, which fetch refuses. */
const PASSWORD = /^\w+:\/*[^/?#]*@/

/**
 * Reads the arguments of fetch as a plain request; `undefined` for other requests, and for those that fetch refuses.
 */
export function plainRequest(
  input: unknown,
  init: RequestInit | undefined,
): PlainRequest | undefined {
  if (!init || (typeof input !== 'string' && !(input instanceof URL))) return undefined
  const { method, body, headers: given, signal } = init
  if (method !== 'POST' || typeof body !== 'string' || body === '') return undefined
  if (signal && (!isSignal(signal) || signal.aborted)) return undefined
  for (const field in init)
    if (!PLAIN_FIELDS.has(field) && init[field as keyof RequestInit] !== undefined) return undefined
  const url = String(input)
  if (PASSWORD.test(url)) return undefined
  const headers = readHeaders(given)
  // A form, or a text in another coding, has to be decoded first.
  if (!headers || typeof headers.get('content-encoding') === 'string') return undefined
  if (/^multipart|form-urlencoded/i.test(headers.get('content-type') ?? '')) return undefined
  return body.isWellFormed() ? { method, url, headers, body, signal } : undefined
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e]*$/

/**
 * Reads what a call gives as headers. Most give an object of plain texts, which is read in a small part of
 * the time that making `Headers` of it takes. `undefined` for what fetch refuses.
 */
export function readHeaders(given: HeadersInit | undefined): SentHeaders | undefined {
  try {
    // A copy: the caller may change its own for the next call.
    const headers =
      given instanceof Headers
        ? new Headers(given)
        : (readRecord(given ?? {}) ?? new Headers(given))
    // Node's fetch sends the host of the address, whatever it is given.
    if (!process.versions.bun) headers.delete('host')
    return headers
  } catch {
    return undefined
  }
}

/** `undefined` where `Headers` would change a name or value. */
function readRecord(given: HeadersInit): Map<string, string> | undefined {
  if (Symbol.iterator in given) return undefined
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
    const key = name.toLowerCase()
    const isPlain = typeof value === 'string' && VALUE.test(value) && value.trim() === value
    if (!isPlain || !NAME.test(name) || headers.has(key)) return undefined
    headers.set(key, value)
  }
  return headers
}
