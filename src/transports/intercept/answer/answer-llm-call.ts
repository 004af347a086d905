import { web } from '../../../real/web.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import { loadRequestRedactor } from '../../../attempt/load-live-values.ts'
import { sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { keepsBeside } from './kept-beside.ts'
import { type Incoming, readIncoming } from '../../../engine/incoming.ts'
import type { Answer, Origin, ReplayAnswer } from '../../../engine/session-contract.ts'
import type { Session } from '../../../engine/session.ts'
import { CassetteError } from '../../../errors.ts'
import { waitFor } from '../../../real/clock.ts'
import { asFailure, inRealWorld } from '../../../real/real-world.ts'
import type { Redactor } from '../../../secrets/redactor.ts'
import { showHarmless } from '../../../secrets/restore-plain-values.ts'
import { isTwoWay } from '../../answer.ts'
import { type LlmCall } from '../call/judge-address.ts'
import { markSent, waitForNothing } from '../../open-requests.ts'
import { refuse } from '../../refuse.ts'
import { isImporting } from '../../scope.ts'
import { readWhole, type WholeRequest } from '../call/whole-request.ts'
import { wireRequest } from '../../../secrets/wire-request.ts'
import type { RequestContext } from '../context/request-context.ts'
import type { PlainRequest } from '../http/plain-request.ts'
import { findOwner, type Owned } from './find-owner.ts'
import { silence } from './recorded-stream.ts'
import { replayResponse } from './replay-response.ts'

/** A request, with the verdict on its address and the place that made it. */
export interface JudgedCall {
  judged: LlmCall
  /** The configuration of the test, or else of the file, that made it. */
  config: ResolvedConfig
  context: RequestContext
}

/** The answer to a request: synchronous where it is replayed and complete; `undefined` lets the request pass. */
export type Answered = Response | Promise<Response | undefined> | undefined

type Engine = () => typeof import('./engine-layer.ts')

/**
 * Answers a request with the address of an LLM call; `undefined` lets it pass, where it stands beside the calls to a
 * gateway and the cassette has no such request. Reads the request once, looks it up once, and answers it once.
 *
 * @param engine loads the parts that a plain replay does not need
 */
export function answerLlmCall(
  request: Request | PlainRequest,
  call: JudgedCall,
  engine: Engine,
): Answered {
  const fail = (error: unknown): Response =>
    inRealWorld(() => {
      const { scope } = call.context
      if (scope) (scope as Attempt).reject(asFailure(error as Error))
      return refuse(request.url, (error as Error).message, web)
    })
  try {
    if (isTwoWay(request.url)) throw twoWayError(new URL(request.url))
    const answered = isPlain(request)
      ? answerWhole(request, call, engine)
      : readWhole(request).then((whole) => inRealWorld(() => answerWhole(whole, call, engine)))
    // An error thrown from here would become a 500, which every SDK retries.
    return answered instanceof Promise ? answered.catch(fail) : answered
  } catch (error) {
    return fail(error)
  }
}

function isPlain(request: Request | WholeRequest): request is PlainRequest {
  return typeof request.body === 'string'
}

/** A call on its way through a session. */
interface Asking {
  request: WholeRequest
  incoming: Incoming
  context: RequestContext
  session: Session
  /** Made at the first redaction, which a plain replay does not need. */
  redact: () => Redactor
  isLlmCall: () => boolean
  engine: Engine
  /** Set where another test than that of its context can be meant. */
  owned?: Owned
}

function answerWhole(
  asked: WholeRequest,
  { judged, config, context }: JudgedCall,
  engine: Engine,
): Answered {
  const { scope, open } = context
  if (context.isAnswered) return undefined
  const { run } = config
  const request = run?.by === 'record' ? engine().askOtherModel(asked, run.folder) : asked
  if (open) markSent(open)
  const sent = wireRequest(request)
  const isLlmCall = (): boolean => judged !== 'beside' || countsBeside(context, request.url)
  if (typeof scope !== 'object') {
    if (!isLlmCall()) return undefined
    const wire = redactorOf(request, { config }).request(sent)
    return refuse(request.url, engine().reportOutsideTest(wire, context.callSite), web)
  }
  const readFor = (session: Session): Pick<Asking, 'session' | 'incoming' | 'redact'> => {
    let redactor: Redactor | undefined
    const redact = (): Redactor =>
      (redactor ??= session.params.around(redactorOf(request, session)))
    const { params, config: own } = session
    const { volatile } = own
    // With parameters of the test or redaction rules of the user, only the redacted request is compared.
    const incoming =
      params.none && own.redact.length === 0
        ? readIncoming(sent, { volatile, redact: (wire) => redact().request(wire) })
        : readIncoming(redact().request(sent), { volatile })
    return { session, redact, incoming }
  }
  const owned = findOwner(scope, context, (session) => readFor(session).incoming)
  const owner = owned?.owner ?? scope
  context.scope = owner
  // The end of its test waits for it.
  if (open) open.scope = owner
  context.way = isPlain(asked) || context.isLookedUp ? owned && 'beside' : 'client'
  const { session } = owner
  const asking = { request, ...readFor(session), context, isLlmCall, engine, owned }
  return session.config.speakers.length > 0 && isLlmCall()
    ? letSpeakersAnswer(asking)
    : answerAsked(asking, context)
}

/** Lets the speakers of the test answer, and then the cassette. */
async function letSpeakersAnswer(asking: Asking): Promise<Response | undefined> {
  const { session, incoming, context, engine } = asking
  const origin = originOf(context)
  const answer = await engine().answerBySpeakers(session, incoming, origin)
  return answer ? respondTo(answer, asking) : answerAsked(asking, origin)
}

function answerAsked(asking: Asking, origin: Origin): Answered {
  const { session, incoming, isLlmCall, engine } = asking
  const { mode, images } = session.config
  const isExact = images.match === 'exact' || mode === 'off' || mode === 'all'
  if (isExact || incoming.pictures.length === 0)
    return respondTo(session.answer(incoming, origin, isLlmCall), asking)
  if (!isLlmCall()) return undefined
  return engine()
    .answerByPictures(session, incoming, originOf(origin))
    .then((answer) => respondTo(answer, asking))
}

/** Whether a request to a gateway that is no LLM call is recorded now, or was recorded earlier. */
function countsBeside({ scope }: RequestContext, url: string): boolean {
  if (typeof scope !== 'object') return false
  const { session } = scope
  return !sendsNothing(session.config.mode) || keepsBeside(session.cassette, url)
}

/** The redactor of a session. It runs before anything else, so that secrets are never hashed, stored or printed. */
function redactorOf(
  { headers, url }: WholeRequest,
  session: Pick<Session, 'config' | 'redactions'>,
): Redactor {
  const { redactorFor } = loadRequestRedactor()
  return redactorFor(headers, new URL(url), session.config.redact, process.env, session)
}

/** Reads the call site while the application is still on the stack. */
function originOf({ order, callSite, askedBy, way }: Origin): Origin {
  return { order, callSite, askedBy, way }
}

function respondTo(answer: Answer, asking: Asking): Answered {
  asking.owned?.note(answer)
  if (answer.action === 'replay') return replay(answer, asking)
  const { request, context, session, redact, engine } = asking
  switch (answer.action) {
    case 'record':
      engine().warnOfPassed(context.scope, request.url)
      return engine().recordUpstream(request, answer, redact(), () => giveNothing(asking))
    case 'refuse':
      return engine().refuseMiss(request.url, session, answer.miss, isImporting(context.scope))
    case 'live':
      return undefined
  }
}

function replay(answer: ReplayAnswer, { request, context, engine, session }: Asking): Answered {
  const isError = answer.isWhole && answer.response.status > 400
  const response = showHarmless(isError ? engine().retriedAtOnce(answer.response) : answer.response)
  if (response.aborted === 'before-headers') return giveNothing({ request, context })
  // For other requests, the entrance itself breaks the answer off.
  const asked = isPlain(request) ? request : undefined
  const { delayMs, flight } = answer
  const { flights } = session
  const mayWait = flight && (flight.isEarly || flights.open.size > 0)
  const turn = delayMs > 0 ? waitFor(delayMs) : mayWait ? session.turnOf(flight) : undefined
  if (flight) flights.open.add(flight)
  if (!turn) return replayResponse(response, asked, answer)
  return turn.then(() => replayResponse(response, asked, answer))
}

/** Gives no answer, as the provider gave none. */
function giveNothing({ request, context }: Pick<Asking, 'request' | 'context'>): Promise<Response> {
  waitForNothing(context)
  return silence(request.signal)
}

function twoWayError({ host, pathname }: URL): CassetteError {
  return new CassetteError(
    'refused',
    `${host}${pathname} is answered while it is still being asked, so there is no whole prompt to compare: ` +
      'it can be neither recorded nor replayed, and is not sent. Put a fake of your own in its place, or run with RECORD=off.',
  )
}
