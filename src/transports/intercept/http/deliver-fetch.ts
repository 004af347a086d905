import { web } from '../../../real/web.ts'
import { closeWhenAnswered, markSent, openRequest } from '../../open-requests.ts'
import { asFetched } from '../call/fetched-response.ts'
import { handOver, newContext, type RequestContext } from '../context/request-context.ts'
import { type FetchAnswers, methodOf } from './fetch-interceptor.ts'
import type { PlainRequest } from './plain-request.ts'
import { following } from '../../follow-answers.ts'

type Fetch = typeof globalThis.fetch

/** Delivers the answer to a plain call of fetch that has none yet. */
export function deliverLater(
  answered: Response | Promise<Response | undefined> | undefined,
  { method, url, signal }: PlainRequest,
  context: RequestContext,
  original: Fetch,
  requestOf: () => Request,
): Promise<Response> {
  if (!context.isUnanswered) {
    context.open = openRequest(context.scope, context.order, `${method} ${url}`)
    markSent(context.open)
  }
  return follow(context, deliverOrSend(answered, { url, context, signal, original }, requestOf))
}

/** Answers a call of fetch that is not plain: fetch itself reads it. */
export async function askByRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  address: string,
  original: Fetch,
  { answer }: FetchAnswers,
): Promise<Response> {
  // `signal: null` in the call removes the signal of the request.
  const { signal = input instanceof web.Request ? input.signal : undefined } = init ?? {}
  const isForeign = signal != null && !(signal instanceof web.AbortSignal)
  const own = isForeign ? { ...init, signal: followSignal(signal) } : init
  const request = new web.Request(input, own)
  // As in `readHeaders`.
  if (!process.versions.bun) request.headers.delete('host')
  // A signal of a polyfill need not have throwIfAborted().
  if (request.signal.aborted)
    throw request.signal.reason ?? new DOMException('This operation was aborted', 'AbortError')
  const context = newContext(`${methodOf(input, init)} ${address}`)
  const { url } = request
  const answered = answer(request.clone(), context)
  return follow(
    context,
    deliverOrSend(answered, { url, context, signal, original }, () => request),
  )
}

/** A signal that Node's request takes in the place of one that a polyfill has made. */
function followSignal(signal: AbortSignal): AbortSignal {
  const own = new web.AbortController()
  const abort = (): void => own.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  return own.signal
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
  return asFetched(body ? new web.Response(body, response) : response, url)
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
  return new web.ReadableStream<Uint8Array>(
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
