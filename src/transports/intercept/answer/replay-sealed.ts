import type { Attempt } from '../../../attempt/attempt.ts'
import { withRealValues } from '../../../real/real-world.ts'
import type { Flight } from '../../../replay/flights.ts'
import { loadWaiting, turnOf } from '../../../replay/turn-of.ts'
import type { TextAnswer } from '../../../replay/read-text-answer.ts'
import type { ReplayByHash } from '../../../replay/replay-by-hash.ts'
import { LEADING_HEADERS } from '../../../wire/headers.ts'
import type { Layers } from '../../layers.ts'
import { nextOrder } from '../../open-requests.ts'
import { fetchedResponse, markWhole } from '../call/fetched-response.ts'
import { isNear } from '../context/near.ts'
import type { FetchAnswers, FetchCall } from '../http/fetch-interceptor.ts'
import { type PlainRequest, plainRequest, readOnce } from '../http/plain-request.ts'
import { hasOwnDispatcher } from '../patch/own-dispatcher.ts'
import { possibleOwners } from './possible-owners.ts'
import { streamOf } from './recorded-stream.ts'

/** Loads what takes every other call. */
type LoadCalls = () => Pick<ReturnType<Layers['calls']>, 'answerRead' | 'isOwn' | 'isSaidAt'>

/**
 * Answers a call of fetch that was recorded byte for byte, by its hash. Every other call goes on to what judges it, and
 * says what is different.
 *
 * @param load loads what takes every other call
 */
export function fetchSealed(
  load: LoadCalls,
  input: string | URL | Request,
  init: RequestInit | undefined,
  call: FetchCall,
): Promise<Response> {
  return readOnce(init, (own) => {
    const answered = withRealValues(() => replaySealed(input, own, call, load))
    return answered ? Promise.resolve(answered) : load().answerRead(input, own, call)
  })
}

function replaySealed(
  input: string | URL | Request,
  init: RequestInit | undefined,
  { scope, answers }: FetchCall,
  load: LoadCalls,
): Response | Promise<Response> | undefined {
  if (typeof scope !== 'object' || !scope.sealed || hasOwnDispatcher(init)) return undefined
  const request = plainRequest(input, init)
  return request && replayPlain(request, nextOrder(), scope, answers, load)
}

/** Answers a request that was recorded byte for byte; `undefined` for every other one. */
export function replayPlain(
  request: PlainRequest,
  order: number,
  scope: Attempt,
  answers: Pick<FetchAnswers, 'later'>,
  load: LoadCalls,
): Response | Promise<Response> | undefined {
  const { sealed } = scope
  if (!sealed) return undefined
  if (scope.isOver(order) || possibleOwners(scope, order)) return undefined
  const index = sealed.find(request)
  if (index === undefined || !isCall(request.url, scope, load)) return undefined
  const flight: Flight = { place: index, left: 0, isEarly: sealed.isEarly(index) }
  const response = responseOf(sealed, flight, request, answers, load)
  if (!response) return undefined
  const { flights } = sealed
  const turn = turnOf(flight, flights, (place) =>
    (scope.sealed ?? scope.session).countUnasked(place),
  )
  flights.open.add(flight)
  sealed.play(index, order)
  if (turn) return loadWaiting().giveLater(turn, response, flight, flights, request.signal)
  flight.response = response
  return response
}

/** Whether a recorded request is answered here, and not by a server of this run, or by a host that an option lets pass. */
function isCall(url: string, { config }: Attempt, load: LoadCalls): boolean {
  return (config.allowHosts.length === 0 && !isNear(url)) || !load().isOwn(url, config)
}

function responseOf(
  sealed: ReplayByHash,
  flight: Flight,
  request: PlainRequest,
  { later }: Pick<FetchAnswers, 'later'>,
  load: LoadCalls,
): Response | undefined {
  try {
    const { place } = flight
    const filled = sealed.values?.fill(place)
    const answer = filled ? undefined : sealed.file.answer(place)
    if (!answer) {
      const exchange = filled ?? sealed.cassette.exchanges[place]
      return exchange && later().replayDecoded?.(exchange, request, flight)
    }
    for (const name of LEADING_HEADERS) if (answer.headers[name]) return undefined
    const mayLead = namesAddress(answer) && !load().isSaidAt(request.url)
    return mayLead ? undefined : giveAnswer(answer, request, flight)
  } catch {
    // The session says what is wrong with it.
    return undefined
  }
}

/** Whether something in an answer looks like an address. Nobody asks one that a model wrote. */
function namesAddress({ chunks }: TextAnswer): boolean {
  for (const chunk of chunks) if (chunk.includes('//') || chunk.includes('\\/\\/')) return true
  return false
}

function giveAnswer(
  { status, headers, chunks }: TextAnswer,
  { url, signal }: PlainRequest,
  flight: Flight,
): Response {
  const init = { status, headers }
  const bytes = chunks.map(bytesOf)
  if (bytes.length > 1 || (signal && bytes.length > 0))
    return fetchedResponse(streamOf(bytes, 'end', signal, { flight }), init, url)
  return markWhole(fetchedResponse(bytes[0] ?? null, init, url))
}

/** Bytes of their own, which a client may hand on. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  latin1Write.call(bytes, text, 0, text.length)
  return bytes
}

const { latin1Write } = Buffer.prototype as unknown as {
  latin1Write(this: Uint8Array, text: string, from: number, length: number): void
}
