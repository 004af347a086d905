import { TransformStream as NodesTransformStream } from 'node:stream/web'
import { WITHOUT_BODY } from '../cassette/patterns.ts'
import type { Recording } from '../engine/recording.ts'
import type { Answer } from '../engine/answer.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { readBody } from '../wire/body.ts'
import { keepHeaders, type WireResponse } from '../wire/message.ts'
import { outsideDispatcher, upstreamDispatcher } from './dispatchers.ts'
import { fetchBehindRoad } from './fetch-road.ts'
import { areTimersFaked, nextTurn } from './next-turn.ts'
import { isMswLoaded } from './outside-of-msw.ts'
import { runInScope } from './scope.ts'
import { isStampHeader } from './stamp.ts'

/** Headers of one connection, which the next one makes for itself. */
const HOP_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
]

/** Headers of the answer that fetch has made untrue by decoding the body. */
const DECODED_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding']

/**
 * Sends a request to its provider and keeps the answer. The application gets every chunk as it
 * arrives; a second branch is read to its own end, whatever the application does with the first. What
 * is kept of it is redacted.
 */
export async function recordUpstream(
  request: Request,
  body: ArrayBuffer,
  { recording, done }: Extract<Answer, { action: 'record' }>,
  redactor: Redactor,
): Promise<Response> {
  const started = performance.now()
  const answer = sendUpstream(request, body).then(split)
  const kept = answer.then(
    ([, response]) => keepResponse(response, recording, redactor, started),
    (error: Error) => void (recording.error = error),
  )
  done(kept)
  // The application gets what it would have got without us: a network error.
  return answer.then(
    ([response]) => endAfter(response, kept),
    () => Response.error(),
  )
}

/** Sends a request to where it was meant to go, past interception, and gives its answer decoded. */
export async function sendUpstream(request: Request, body: ArrayBuffer): Promise<Response> {
  // As pairs: of Headers, MSW forgets what a request was made with.
  const headers = new Headers([...request.headers])
  for (const name of Array.from(headers.keys())) {
    if (HOP_HEADERS.includes(name) || isStampHeader(name)) headers.delete(name)
  }
  // A connection that is kept would never be taken up again, nor be closed.
  if (areTimersFaked()) headers.set('connection', 'close')
  // Made anew rather than cloned: the client's abort must not end the recording.
  const copy = new Request(request.url, {
    method: request.method,
    headers,
    body: body.byteLength > 0 ? body : null,
    redirect: 'manual',
  })
  const response = await runInScope('upstream', () => fetchPast(copy))
  const answerHeaders = new Headers([...response.headers])
  for (const name of DECODED_HEADERS) answerHeaders.delete(name)
  const { status, statusText } = response
  const content = WITHOUT_BODY.includes(status) ? null : response.body
  return new Response(content, { status, statusText, headers: answerHeaders })
}

/** Sends a request past interception. Where MSW intercepts, a server of the user may have a word in it. */
async function fetchPast(request: Request): Promise<Response> {
  const [behind, dispatcher] = isMswLoaded() ? [] : [fetchBehindRoad(), outsideDispatcher()]
  if (behind && dispatcher) return behind(request, { dispatcher } as RequestInit)
  // Replay does without it.
  const { bypass } = await import('msw')
  return fetch(bypass(request), upstreamDispatcher())
}

function split({ status, statusText, headers, body }: Response): [Response, Response] {
  const [forClient, forRecording] = body?.tee() ?? [null, null]
  const clientHeaders = new Headers([...headers])
  // Without a framing, a connection that breaks would read as the end of the answer.
  if (forClient) clientHeaders.set('transfer-encoding', 'chunked')
  return [
    new Response(forClient, { status, statusText, headers: clientHeaders }),
    new Response(forRecording, { status, statusText, headers }),
  ]
}

/** Lets the application see the end of an answer when it is kept, so that tests find it among what they got. */
function endAfter({ status, statusText, headers, body }: Response, kept: Promise<void>): Response {
  // Node's own: what happy-dom has by this name is something else.
  const late = new NodesTransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      // Clients stop reading at the last event, most often before the end that has come with it.
      await nextTurn()
      controller.enqueue(chunk)
    },
    flush: () => kept,
  })
  const content = body?.pipeThrough(late as TransformStream) ?? null
  return new Response(content, { status, statusText, headers })
}

async function keepResponse(
  response: Response,
  recording: Recording,
  redactor: Redactor,
  started: number,
): Promise<void> {
  const { bytes, cut } = await readToEnd(response)
  const kept: WireResponse = {
    status: response.status,
    headers: keepHeaders(response.headers),
    body: readBody(bytes, response.headers.get('content-type') ?? ''),
  }
  if (cut) kept.cut = true
  recording.response = redactor.response(kept)
  recording.durationMs = Math.round(performance.now() - started)
  await recording.keep()
}

/** Keeps what arrived of an answer whose connection broke. */
async function readToEnd(response: Response): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks), cut: false }
  } catch {
    return { bytes: Buffer.concat(chunks), cut: true }
  }
}
