import { realNow } from '../../../real/clock.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import { WITHOUT_BODY } from '../../../cassette/patterns.ts'
import type { Recording } from '../../../engine/recording.ts'
import type { RecordAnswer } from '../../../engine/session-contract.ts'
import type { Redactor } from '../../../secrets/redactor.ts'
import { readBody, writeBody, type Body } from '../../../wire/body.ts'
import { LEADING_HEADERS } from '../../../wire/headers.ts'
import { keepHeaders, type WireResponse } from '../../../wire/message.ts'
import {
  decodedHeaders,
  fetchPastInterception,
  optionsToSendOn,
} from '../http/fetch-past-interception.ts'
import { areTimersFaked, whatStandsStill } from '../../../real/next-turn.ts'
import { Patience } from './patience.ts'
import { warnOfOwnServer } from './recording-warnings.ts'
import { explainUnreachable, noteUnreachable, noteReached, unreachable } from './unreachable.ts'
import { refuse } from '../../refuse.ts'
import { readAlong, type Arrived } from './read-along.ts'
import type { WholeRequest } from '../call/whole-request.ts'

/** An answer with its body decoded, and with the headers that still hold. */
interface Upstream {
  status: number
  statusText: string
  headers: Headers
  body: ReadableStream<Uint8Array> | null
}

/**
 * Sends a request to its provider and keeps the answer, redacted. The application reads the answer as it arrives. The
 * recording reads it to its end, whatever the application does.
 */
export async function recordUpstream(
  request: WholeRequest,
  { recording, done }: RecordAnswer,
  redactor: Redactor,
): Promise<Response> {
  const started = realNow()
  const { promise: kept, resolve } = Promise.withResolvers<void>()
  done(kept)
  const patience = new Patience()
  const stop = new AbortController()
  let hasLeft = false
  const leave = (): void => {
    hasLeft = true
    patience.leave()
  }
  let answer: Upstream
  const giveUp = (error: Error): Response => {
    recording.error = error
    resolve()
    // The application gets a network error, as it would without this package, until there is no hope.
    return unreachable(request.url)
      ? refuse(request.url, explainUnreachable(request.url))
      : Response.error()
  }
  const known = unreachable(request.url)
  if (known) return giveUp(known)
  try {
    request.signal?.addEventListener('abort', leave)
    const asked = askUpstream(request, stop.signal)
    answer = (await patience.waitFor(asked)) ?? unanswered(asked, stop)
  } catch (error) {
    noteUnreachable(request.url, error as Error, started)
    return giveUp(error as Error)
  } finally {
    // From here on an abort concerns the body.
    request.signal?.removeEventListener('abort', leave)
  }
  try {
    const keep = (arrived: Arrived): Promise<void> =>
      inRealWorld(() => keepAnswer(answer, { ...arrived, hasLeft }, recording, redactor, started))
    return await inRealWorld(() =>
      passOn(request, answer, recording, { kept, resolve, patience, keep }),
    )
  } catch (error) {
    // The end of the test waits for it.
    recording.error = error as Error
    resolve()
    throw error
  }
}

/** What follows the answer of a provider to its end. */
interface Following {
  /** Settles when the answer is kept. */
  kept: Promise<void>
  resolve(kept: Promise<void>): void
  patience: Patience
  keep(arrived: Arrived): Promise<void>
}

/** The answer for the application, which is recorded while it is read. */
function passOn(
  request: WholeRequest,
  answer: Upstream,
  recording: Recording,
  { kept, resolve, patience, keep }: Following,
): Response | Promise<Response> {
  noteReached(request.url)
  const { body, ...rest } = answer
  recording.status = answer.status
  warnOfOwnServer(request)
  noteLocation(answer, recording)
  const along = body && readAlong(body, kept, patience)
  const arrived = along?.arrived ?? Promise.resolve({ bytes: new Uint8Array(), cut: false })
  resolve(arrived.then(keep))
  if (!along) return kept.then(() => new Response(null, rest))
  // Without a framing, a broken connection would read as the end of the answer.
  rest.headers.set('transfer-encoding', 'chunked')
  return new Response(along.body, rest)
}

/** Sends a request to its address, past interception, and returns the decoded answer. */
export async function sendUpstream(request: WholeRequest): Promise<Response> {
  const { body, ...rest } = await askUpstream(request)
  return new Response(body, rest)
}

/** The record of an answer of which nothing came before its client gave up, with status 499 as servers log it. */
function unanswered(asked: Promise<Upstream>, stop: AbortController): Upstream {
  asked.catch(() => {})
  stop.abort()
  return { status: 499, statusText: '', headers: new Headers(), body: null }
}

async function askUpstream(request: WholeRequest, signal?: AbortSignal): Promise<Upstream> {
  const still = await whatStandsStill()
  // Without it, the request would wait for ever, and the run for the request.
  if (still) throw new Error(`${still} is faked, by which Node sends requests`)
  const sent = optionsToSendOn(request)
  // Made of pairs, since MSW loses the original entries of a Headers object.
  const headers = new Headers(sent.headers)
  // A connection that stays open would never be used again, nor closed.
  if (areTimersFaked()) headers.set('connection', 'close')
  // Without the signal of the client: its abort must not end the recording.
  const response = await fetchPastInterception(request.url, { ...sent, headers, signal })
  const { status, statusText } = response
  const body = WITHOUT_BODY.includes(status) ? null : response.body
  return { status, statusText, headers: decodedHeaders(response, request.method), body }
}

/** Noted before the body is read, since a client follows a redirect as soon as it has the headers. */
function noteLocation({ status, headers }: Upstream, { leads, incoming }: Recording): void {
  const named = LEADING_HEADERS.flatMap((name) => {
    const address = headers.get(name)
    return address === null ? [] : [[name, address] as const]
  })
  if (named.length === 0) return
  leads?.add(incoming, { status, headers: Object.fromEntries(named), body: { kind: 'empty' } })
}

async function keepAnswer(
  { status, headers }: Upstream,
  { bytes, cut, leftAt, hasLeft }: Arrived & { hasLeft: boolean },
  recording: Recording,
  redactor: Redactor,
  started: number,
): Promise<void> {
  const body = readBody(bytes, headers.get('content-type') ?? '')
  const kept: WireResponse = { status, headers: keepHeaders(headers), body }
  recording.leads?.add(recording.incoming, kept)
  if (cut) kept.cut = true
  if (hasLeft) kept.aborted = 'before-headers'
  else if (leftAt !== undefined) kept.aborted = countPieces(body, leftAt)
  recording.response = redactor.response(kept)
  recording.durationMs = Math.round(realNow() - started)
  await recording.keep()
}

/** The number of chunks that lie whole within the first bytes of a body. */
function countPieces(body: Body, bytes: number): number {
  let end = 0
  return writeBody(body).filter((piece) => (end += piece.length) <= bytes).length
}
