import type { NamedHeaders } from '../../../wire/message.ts'
import { following } from '../../follow-answers.ts'
import type { LlmCall } from '../../answer.ts'
import { closeWhenAnswered, markSent, openRequest } from '../../open-requests.ts'
import type { Scope } from '../../scope.ts'
import { asFetched, isFetched } from '../call/fetched-response.ts'
import type { SentHeaders } from '../../../secrets/wire-request.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import {
  contextHere,
  handOver,
  newContext,
  others,
  type RequestContext,
} from '../context/request-context.ts'
import { hasOwnDispatcher } from '../patch/dispatchers.ts'

/** Judges and answers the calls of fetch. */
export interface FetchAnswers {
  /** Judges a request by its address and its scope. */
  judge(method: string, url: string, scope: Scope | undefined): LlmCall
  /** Answers a request, synchronously where possible; `undefined` lets it pass. */
  answer(
    request: Request | PlainRequest,
    context: RequestContext,
  ): Response | Promise<Response | undefined> | undefined
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
  { scope, original, answers }: FetchCall,
): Promise<Response> {
  // To look at the global class loads Node's clients, which a fetch of the test may not need.
  const address = typeof input === 'object' && input instanceof Request ? input.url : String(input)
  const judged = answers.judge(methodOf(input, init), address, scope)
  if (judged === 'no') return original(input, init)
  if (hasOwnDispatcher(init)) {
    const send = (): Promise<Response> => original(input, init)
    return others.watch ? others.watch(address, send) : send()
  }
  others.reach?.()
  const plain = plainRequest(input, init)
  if (!plain) return ask(input, init, address, original, answers)
  const context = contextHere(scope, judged)
  const answered = answers.answer(plain, context)
  if (isFetched(answered)) return Promise.resolve(answered)
  const { url, signal } = plain
  if (!context.isUnanswered) {
    context.open = openRequest(context.scope, context.order, `${plain.method} ${url}`)
    markSent(context.open)
  }
  const asked = { url, context, signal, original }
  return follow(
    context,
    deliverOrSend(answered, asked, () => new Request(input, init)),
  )
}

function methodOf(input: unknown, init: RequestInit | undefined): string {
  return String(
    init?.method ?? (typeof input === 'object' && input instanceof Request ? input.method : 'GET'),
  ).toUpperCase()
}

async function ask(
  input: string | URL | Request,
  init: RequestInit | undefined,
  address: string,
  original: Fetch,
  { answer }: FetchAnswers,
): Promise<Response> {
  // `signal: null` in the call removes the signal of the request.
  const { signal = input instanceof Request ? input.signal : undefined } = init ?? {}
  const request = new Request(input, init)
  signal?.throwIfAborted()
  const context = newContext(`${methodOf(input, init)} ${address}`)
  const { url } = request
  const answered = answer(request.clone(), context)
  return follow(
    context,
    deliverOrSend(answered, { url, context, signal, original }, () => request),
  )
}

/** Follows an answer that is recorded from the promise that the application gets. */
function follow<Result>({ call }: RequestContext, answer: Promise<Result>): Promise<Result> {
  if (call) following.follower?.answered(call, answer)
  return answer
}

/** A call of fetch that has no answer yet. */
interface AskedCall {
  url: string
  context: RequestContext
  signal: AbortSignal | null | undefined
  original: Fetch
}

/**
 * Delivers an answer once it settles. Requests that pass, and redirects that fetch has to follow, go on to Node's own
 * fetch.
 */
async function deliverOrSend(
  answered: Response | Promise<Response | undefined> | undefined,
  { url, context, signal, original }: AskedCall,
  requestOf: () => Request,
): Promise<Response> {
  const response = await unlessAborted(
    Promise.resolve(closeWhenAnswered(context.open, answered)),
    signal,
  )
  if (response && !leadsOn(response)) return deliver(response, url, signal)
  const request = requestOf()
  return original(response ? handOver(request, context, response) : request)
}

/** Whether an answer is a redirect, which fetch itself follows. */
function leadsOn({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has('location')
}

/** Gives the application an answer as fetch would. */
function deliver(
  response: Response,
  url: string,
  signal: AbortSignal | null | undefined,
): Response {
  if (response.type === 'error')
    throw new TypeError('fetch failed', {
      cause: new Error('The connection to the provider failed'),
    })
  const body = signal && response.body && untilAborted(response.body, signal)
  return asFetched(body ? new Response(body, response) : response, url)
}

function unlessAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal | null | undefined,
): Promise<Result> {
  if (!signal) return result
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** A body with the same chunks that an abort breaks off. */
function untilAborted(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let end = (): void => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          controller.error(signal.reason)
          void reader.cancel(signal.reason).catch(() => {})
        }
        signal.addEventListener('abort', abort, { once: true })
        end = () => signal.removeEventListener('abort', abort)
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (signal.aborted) return
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          end()
          controller.error(error)
        }
      },
      cancel(reason) {
        end()
        return reader.cancel(reason)
      },
    },
    // Pulls only on demand.
    { highWaterMark: 0 },
  )
}

/** A JSON text posted by fetch, complete when fetch is called. Most LLM calls are one. */
export interface PlainRequest extends WholeRequest {
  body: string
}

/** The options of fetch that a plain request can have. Fetch itself reads a call with any other option. */
const PLAIN_FIELDS = new Set(['method', 'headers', 'body', 'signal', 'duplex', 'keepalive'])

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
  if (signal && (!(signal instanceof AbortSignal) || signal.aborted)) return undefined
  for (const field in init)
    if (!PLAIN_FIELDS.has(field) && init[field as keyof RequestInit] !== undefined) return undefined
  const url = String(input)
  if (PASSWORD.test(url)) return undefined
  const headers = readHeaders(given)
  if (!headers || isEncoded(headers) || !body.isWellFormed()) return undefined
  return { method, url, headers, body, signal }
}

/** Whether the text is a form, or travels in another coding: then it has to be decoded first. */
function isEncoded(headers: NamedHeaders): boolean {
  return (
    typeof headers.get('content-encoding') === 'string' ||
    /^multipart|form-urlencoded/i.test(headers.get('content-type') ?? '')
  )
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e]*$/

/**
 * Reads what a call gives as headers. Most give an object of plain texts, which is read in a small part of
 * the time that making `Headers` of it takes. `undefined` for what fetch refuses.
 */
export function readHeaders(given: HeadersInit | undefined): SentHeaders | undefined {
  if (given instanceof Headers) return given
  try {
    return readRecord(given ?? {}) ?? new Headers(given)
  } catch {
    return undefined
  }
}

/** `undefined` where `Headers` would change a name or value. */
function readRecord(given: HeadersInit): SentHeaders | undefined {
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
