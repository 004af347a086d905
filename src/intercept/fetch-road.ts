import { hasOwnDispatcher } from './dispatchers.ts'
import { plainRequest, type PlainRequest } from './plain-request.ts'
import { currentScope } from './scope.ts'
import { handOver, newStamp, type Stamp } from './stamp.ts'

/** What the road asks about a request, and who answers it. */
export interface FetchAnswers {
  /** Judges by the address alone. */
  isAnswered(method: string, url: string): boolean
  /** Answers what is recorded as it stands; `undefined` for all that takes longer. */
  answerAtOnce(request: PlainRequest): Response | undefined
  /** Reads the request; `undefined` lets it pass. */
  answer(request: Request, stamp: Stamp): Promise<Response | undefined>
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
    return askAtOnce(input, init, answers) ?? ask(input, init, newStamp(), original, answers)
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

function askAtOnce(
  input: unknown,
  init: RequestInit | undefined,
  { answerAtOnce }: FetchAnswers,
): Promise<Response> | undefined {
  const request = plainRequest(input, init)
  const response = request && answerAtOnce(request)
  return response && Promise.resolve(asFetched(response, request.url.split('#')[0]!))
}

async function ask(
  input: string | URL | Request,
  init: RequestInit | undefined,
  stamp: Stamp,
  original: Fetch,
  { answer }: FetchAnswers,
): Promise<Response> {
  // By `null` a call takes the signal of its request away.
  const { signal = input instanceof Request ? input.signal : undefined } = init ?? {}
  const request = new Request(input, init)
  signal?.throwIfAborted()
  const response = await unlessAborted(answer(request.clone(), stamp), signal)
  if (!response) return original(request)
  if (response.type === 'error')
    throw new TypeError('fetch failed', {
      cause: new Error('The connection to the provider failed'),
    })
  // Fetch itself knows how to follow.
  if (response.status >= 300 && response.status < 400 && response.headers.has('location'))
    return original(handOver(request, stamp, response))
  const body = signal && response.body && untilAborted(response.body, signal)
  const given = body ? new Response(body, response) : response
  return asFetched(given, request.url.split('#')[0]!)
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
function asFetched(response: Response, url: string): Response {
  return Object.defineProperties(response, {
    url: { value: url },
    type: { value: 'basic' },
    clone: { value: () => asFetched(Response.prototype.clone.call(response), url) },
  })
}
