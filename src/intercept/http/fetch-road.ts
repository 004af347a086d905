import { hasOwnDispatcher } from '../patch/dispatchers.ts'
import { plainRequest, type PlainRequest } from '../call/plain-request.ts'
import { currentScope } from '../context/scope.ts'
import { handOver, newStamp, type Stamp } from '../context/stamp.ts'

/** What the road asks about a request, and who answers it. */
export interface FetchAnswers {
  /** Judges by the address alone. */
  isAnswered(method: string, url: string): boolean
  /** Answers what is recorded as it stands; `undefined` for all that takes longer. */
  answerAtOnce(request: PlainRequest): Response | undefined
  /** Reads the request; `undefined` lets it pass. */
  answer(request: Request, stamp: Stamp): Promise<Response | undefined>
  /** The same of one that is read. */
  answerPlain(request: PlainRequest, stamp: Stamp): Promise<Response | undefined>
}

type Fetch = typeof globalThis.fetch

/** Node's own, as long as the road is open in front of it. */
let behind: Fetch | undefined

/** Node's own fetch, for what is sent past the road; `undefined` where the road is not open. */
export function fetchBehindRoad(): Fetch | undefined {
  return behind
}

/**
 * Answers LLM calls through global fetch without a socket, in a small part of the time. All that is not
 * plain goes the way it went before, and meets the network at the socket: other requests, another fetch or
 * dispatcher that somebody put there, the fetch of a DOM environment. Returns what closes the road.
 */
export function openFetchRoad(answers: FetchAnswers): () => void {
  const original = globalThis.fetch
  if (!isNodesOwn(original) || 'window' in globalThis) return () => {}
  let isOpen = true
  const fetch: Fetch = (input, init) => {
    const isAnswered = isOpen && answers.isAnswered(methodOf(input, init), addressOf(input))
    if (!isAnswered || currentScope() === 'upstream' || hasOwnDispatcher(init))
      return original(input, init)
    const plain = plainRequest(input, init)
    const response = plain && answers.answerAtOnce(plain)
    if (response) return Promise.resolve(asFetched(response, plain.url))
    return ask(input, init, plain, original, answers)
  }
  globalThis.fetch = fetch
  behind = original
  return () => {
    behind = undefined
    // A spy on it can put it back later.
    isOpen = false
    if (globalThis.fetch === fetch) globalThis.fetch = original
  }
}

/** Where somebody else came first, as a server of MSW, he is asked first. */
function isNodesOwn(fetch: Fetch | undefined): boolean {
  return String(fetch).includes('internal/deps/undici')
}

function methodOf(input: unknown, init: RequestInit | undefined): string {
  return String(init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
}

function addressOf(input: unknown): string {
  return input instanceof Request ? input.url : String(input)
}

async function ask(
  input: string | URL | Request,
  init: RequestInit | undefined,
  plain: PlainRequest | undefined,
  original: Fetch,
  { answer, answerPlain }: FetchAnswers,
): Promise<Response> {
  // By `null` a call takes the signal of its request away.
  const { signal = input instanceof Request ? input.signal : undefined } = init ?? {}
  let request = plain ? undefined : new Request(input, init)
  signal?.throwIfAborted()
  const stamp = newStamp(`${methodOf(input, init)} ${addressOf(input)}`)
  const answered = plain ? answerPlain(plain, stamp) : answer(request!.clone(), stamp)
  const response = await unlessAborted(answered, signal)
  if (response && !leadsOn(response)) return deliver(response, addressOf(request ?? input), signal)
  request ??= new Request(input, init)
  return original(response ? handOver(request, stamp, response) : request)
}

/** Whether an answer leads to another address; fetch itself knows how to follow. */
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

/** The same chunks; an abort breaks off what is not read yet. */
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
    // Asks for nothing before it is asked.
    { highWaterMark: 0 },
  )
}

/** A response that says of itself what one of fetch says. */
function asFetched(response: Response, asked: string): Response {
  const [url] = asked.split('#')
  return Object.defineProperties(response, {
    url: { value: url },
    type: { value: 'basic' },
    clone: { value: () => asFetched(Response.prototype.clone.call(response), asked) },
  })
}
