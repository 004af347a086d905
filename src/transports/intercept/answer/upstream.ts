import { say } from '../../../attempt/say.ts'
import { web } from '../../../real/web.ts'
import { WITHOUT_BODY } from '../../../cassette/patterns.ts'
import { hostOf } from '../../../engine/gateways.ts'
import { KEY_REFUSALS, type Recording } from '../../../engine/recording.ts'
import { CassetteError } from '../../../errors.ts'
import { STAND_IN_KEY } from '../../../providers/stand-in-keys.ts'
import type { RecordAnswer } from '../../../engine/session-contract.ts'
import { isLoopback, providerOf } from '../../../providers/providers.ts'
import { areTimersFaked, realNow } from '../../../real/clock.ts'
import { whatStandsStill } from '../../../real/stands-still.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import type { Redactor } from '../../../secrets/redactor.ts'
import { type Body, writeBody } from '../../../wire/body.ts'
import { keepHeaders, readBody } from '../../../wire/read-body.ts'
import { LEADING_HEADERS } from '../../../wire/headers.ts'
import type { WireResponse } from '../../../wire/message.ts'
import { nextOrder } from '../../open-requests.ts'
import { refuse } from '../../refuse.ts'
import type { Scope } from '../../scope.ts'
import { variablesSent } from '../../../secrets/find-secrets.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { others } from '../context/request-context.ts'
import {
  decodedHeaders,
  fetchPastInterception,
  optionsToSendOn,
} from '../http/fetch-past-interception.ts'
import { GRPC } from '../http/http2-server.ts'
import { sendGrpc } from '../http/send-grpc.ts'
import {
  type Arrived,
  type Begun,
  Patience,
  readAlong,
  readFirst,
  arrivedWhole,
} from './read-along.ts'

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
 *
 * @param giveNothing leaves the application without a response, where none came before its test was over
 */
export async function recordUpstream(
  request: WholeRequest,
  { recording, done }: RecordAnswer,
  redactor: Redactor,
  giveNothing: () => Promise<Response>,
): Promise<Response> {
  const started = realNow()
  const { promise: kept, resolve } = Promise.withResolvers<void>()
  let hasLeft = false
  const patience = new Patience(recording, () => {
    hasLeft ||= recording.status === undefined
  })
  done(kept)
  const end = (): void => patience.end()
  void kept.then(end, end)
  if (hasLentKey(request)) {
    resolve()
    throw (recording.error = lentKeySent(request.url))
  }
  const stop = new web.AbortController()
  const leave = (): void => {
    hasLeft = true
    patience.leave()
  }
  let answer: Upstream
  let begun: Begun | undefined
  const giveUp = (error: Error): Response => {
    recording.error = error
    resolve()
    // The application gets a network error, as it would without this package, until there is no hope.
    return unreachable(request.url)
      ? refuse(request.url, explainUnreachable(request.url), web)
      : web.Response.error()
  }
  const known = unreachable(request.url)
  if (known) return giveUp(known)
  try {
    request.signal?.addEventListener('abort', leave)
    const hear = (): unknown => (recording.mocked = true)
    const asked =
      others.traces?.run(hear, askUpstream, request, stop.signal) ??
      askUpstream(request, stop.signal)
    answer = (await patience.waitFor(asked)) ?? unanswered(asked, stop)
    begun = answer.body ? await readFirst(answer.body) : undefined
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
    const response = inRealWorld(() =>
      passOn(request, answer, recording, { begun, kept, resolve, patience, keep }),
    )
    if (!patience.isGivenUp || !hasLeft) return await response
    await kept
    return await giveNothing()
  } catch (error) {
    // The end of the test waits for it.
    recording.error = error as Error
    resolve()
    throw error
  }
}

/** What follows the answer of a provider to its end. */
interface Following {
  /** What has arrived of its body; absent where it has none. */
  begun?: Begun | undefined
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
  { begun, kept, resolve, patience, keep }: Following,
): Response | Promise<Response> {
  noteReached(request.url)
  const { body: _, ...rest } = answer
  recording.status = answer.status
  if (KEY_REFUSALS.has(answer.status))
    recording.sentKeys = variablesSent(request.headers, request.url, process.env)
  noteLocation(answer, recording)
  // Without a framing, a broken connection would read as the end of the answer.
  if (begun) rest.headers.set('transfer-encoding', 'chunked')
  const whole = begun ? arrivedWhole(begun) : new Uint8Array()
  if (!whole) {
    const along = readAlong(begun!, kept, patience)
    resolve(along.arrived.then(keep))
    return new web.Response(along.body, rest)
  }
  resolve(keep({ bytes: whole, cut: false }))
  if (!begun) return kept.then(() => new web.Response(null, rest))
  return kept.then(
    () => new web.Response(whole, rest),
    // What cannot be kept is an error for who reads.
    () => new web.Response(readAlong(begun, kept, patience).body, rest),
  )
}

/** A client that was made while keys were lent goes on with its key where a test asks a provider itself. */
function hasLentKey({ url, headers }: WholeRequest): boolean {
  if (url.includes(STAND_IN_KEY)) return true
  return [...headers].some(([, value]) => value.includes(STAND_IN_KEY))
}

function lentKeySent(url: string): CassetteError {
  return new CassetteError(
    'refused',
    `The client of this call has the key that is lent in replay (${STAND_IN_KEY}), and this test asks ${hostOf(url)} itself, so nothing was sent.\n` +
      'The client was made outside of this test, where its file replays. Make it in the test, or set a real key before the file is run.',
  )
}

/** Sends a request to its address, past interception, and returns the decoded answer. */
export async function sendUpstream(request: WholeRequest): Promise<Response> {
  if (hasLentKey(request)) throw lentKeySent(request.url)
  const { body, ...rest } = await askUpstream(request)
  return new web.Response(body, rest)
}

/** The record of an answer of which nothing came before its client gave up, with status 499 as servers log it. */
function unanswered(asked: Promise<Upstream>, stop: AbortController): Upstream {
  asked.catch(() => {})
  stop.abort()
  return { status: 499, statusText: '', headers: new web.Headers(), body: null }
}

async function askUpstream(request: WholeRequest, signal?: AbortSignal): Promise<Upstream> {
  const still = await whatStandsStill()
  // Without it, the request would wait for ever, and the run for the request.
  if (still) throw new Error(`${still} is faked, by which Node sends requests`)
  const sent = optionsToSendOn(request)
  // Made of pairs, since MSW loses the original entries of a Headers object.
  const headers = new web.Headers(sent.headers)
  // A connection that stays open would never be used again, nor closed.
  if (areTimersFaked()) headers.set('connection', 'close')
  // Without the signal of the client: its abort must not end the recording.
  const response = GRPC.test(request.headers.get('content-type') ?? '')
    ? await sendGrpc(request, signal)
    : await fetchPastInterception(request.url, { ...sent, headers, signal })
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
  recording.ended = nextOrder()
  await recording.keep()
}

/** The number of chunks that lie whole within the first bytes of a body. */
function countPieces(body: Body, bytes: number): number {
  let end = 0
  return writeBody(body).filter((piece) => (end += piece.length) <= bytes).length
}

/** Errors of the network before anything of a server is seen. */
const CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
])

/** Milliseconds after which a host is tried again, in programs that go on for long. */
const TRY_AGAIN_MS = 60_000

/** Hosts that could not be reached, with the number of failures one after the other. */
const failed = new Map<string, { count: number; at: number; error: Error }>()

/**
 * The error of a host that could not be reached twice, the second time in a request that began after the first: it is
 * asked no more, since each SDK would try and wait for seconds. A server of this machine may only be slow to start.
 */
export function unreachable(url: string): Error | undefined {
  const known = failed.get(hostOf(url))
  if (!known || known.count < 2) return undefined
  return realNow() - known.at < TRY_AGAIN_MS ? known.error : undefined
}

/** Notes that a host could not be reached. `started` is the time at which the request began. */
export function noteUnreachable(url: string, error: Error, started: number): void {
  const { code } = (error.cause ?? {}) as { code?: string }
  if (!CODES.has(code ?? '') || isLoopback(new URL(url))) return
  const known = failed.get(hostOf(url))
  if (known && started < known.at) return
  failed.set(hostOf(url), { count: (known?.count ?? 0) + 1, at: realNow(), error })
}

/** Notes that a host was reached. */
export function noteReached(url: string): void {
  failed.delete(hostOf(url))
}

/** What the application gets in place of an answer. */
function explainUnreachable(url: string): string {
  return `${hostOf(url)} cannot be reached, so it is asked no more. Record again when it can.`
}

/** Warns of requests that passed before the first LLM call showed that their host is a gateway. None is recorded. */
export function warnOfPassed(scope: Scope | undefined, url: string): void {
  if (typeof scope !== 'object' || providerOf(new URL(url)) !== undefined) return
  const host = hostOf(url)
  const passed = scope.passed.get(host)
  if (passed === undefined) return
  scope.passed.delete(host)
  say(
    `[vitest-cassette] ${passed} was sent and not recorded: only the LLM call that came after it told that ${host} is a gateway. ` +
      `In replay it would be sent again. Add the gateway to the options, cassettes({ hosts: ['${host}'] }), and record the test again.`,
  )
}
