import { sendsNothing } from '../../config/mode.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { Answer, Origin, ReplayAnswer } from '../../engine/answer.ts'
import { keepsBeside } from '../../engine/gateways.ts'
import { readIncoming, type Incoming } from '../../engine/incoming.ts'
import type { Session } from '../../engine/session.ts'
import { CassetteError } from '../../errors.ts'
import type { Attempt } from '../../host/attempt.ts'
import type { Redactor } from '../../secrets/redactor.ts'
import { showHarmless } from '../../secrets/restore-plain-values.ts'
import type { WireRequest } from '../../wire/message.ts'
import { isTwoWay, type LlmCall } from '../call/llm-call.ts'
import type { PlainRequest } from '../call/plain-request.ts'
import { refuse } from '../call/refuse.ts'
import { readWhole, type WholeRequest } from '../call/whole-request.ts'
import { wireRequest } from '../call/wire-request.ts'
import { markSent, waitForNothing } from '../context/open-requests.ts'
import type { RequestContext } from '../context/request-context.ts'
import { waitFor } from '../patch/next-turn.ts'
import { replayResponse, silence } from './replay.ts'

/** A request with what its address and its origin say of it. */
export interface JudgedCall {
  judged: LlmCall
  /** What holds where it was made. */
  config: ResolvedConfig
  context: RequestContext
}

/** What a request is answered: at once where it is replayed and all of it is there; `undefined` lets it pass. */
export type Answered = Response | Promise<Response | undefined> | undefined

type Engine = () => typeof import('./engine-layer.ts')

/**
 * Answers what has the address of an LLM call; `undefined` lets it pass, as what turns out to be none does.
 * The request is read once, looked up once and answered once.
 *
 * @param engine loads what a plain replay does without
 */
export function answerLlmCall(
  request: Request | PlainRequest,
  call: JudgedCall,
  engine: Engine,
): Answered {
  const fail = (error: unknown): Response => refuseFailed(request.url, call, error as Error)
  try {
    if (isTwoWay(request.url)) throw twoWayError(new URL(request.url))
    const answered = isPlain(request)
      ? answerWhole(request, call, engine)
      : readWhole(request).then((whole) => answerWhole(whole, call, engine))
    // Thrown on, it would become a 500, which every SDK tries again.
    return answered instanceof Promise ? answered.catch(fail) : answered
  } catch (error) {
    return fail(error)
  }
}

function isPlain(request: Request | WholeRequest): request is PlainRequest {
  return typeof request.body === 'string'
}

/** A call of a session, and what becomes of it. */
interface Asking {
  request: WholeRequest
  incoming: Incoming
  context: RequestContext
  session: Session
  /** Made when something has to be hidden; a plain replay does without. */
  redact: () => Redactor
  isLlmCall: () => boolean
  engine: Engine
}

function answerWhole(
  asked: WholeRequest,
  { judged, config, context }: JudgedCall,
  engine: Engine,
): Answered {
  const { scope, open } = context
  const { recordRun: run } = config
  const request = run === undefined ? asked : engine().askOtherModel(asked, run)
  if (open) markSent(open)
  const sent = wireRequest(request)
  const isLlmCall = (): boolean =>
    judged === 'certain' ||
    (judged === 'beside' ? countsBeside(context, request.url) : engine().isLlmCall(judged, sent))
  if (typeof scope !== 'object') {
    if (!isLlmCall()) return undefined
    const wire = redactorOf(request, config, engine).request(sent)
    return engine().refuseOutside(request.url, wire, context.callSite)
  }
  const { session } = scope
  let redactor: Redactor | undefined
  const redact = (): Redactor =>
    (redactor ??= session.params.around(redactorOf(request, session.config, engine)))
  const incoming = readAsked(session, sent, redact)
  const asking = { request, incoming, context, session, redact, isLlmCall, engine }
  return session.config.speakers.length > 0 && isLlmCall()
    ? answerSpeaking(asking)
    : answerAsked(asking, context)
}

/** Speakers of the test are asked before the cassette is. */
async function answerSpeaking(asking: Asking): Promise<Response | undefined> {
  const { session, incoming, context, engine } = asking
  const origin = originOf(context)
  const answer = await engine().answerSpeaking(session, incoming, origin)
  return answer ? respondTo(answer, asking) : answerAsked(asking, origin)
}

function answerAsked(asking: Asking, origin: Origin): Answered {
  const { session, incoming, isLlmCall, engine } = asking
  if (!mayLookAlike(session, incoming))
    return respondTo(session.answer(incoming, origin, isLlmCall), asking)
  if (!isLlmCall()) return undefined
  return engine()
    .answerSeeing(session, incoming, originOf(origin))
    .then((answer) => respondTo(answer, asking))
}

/** Whether what is asked at a gateway, and is no LLM call, is recorded, or was. */
function countsBeside({ scope }: RequestContext, url: string): boolean {
  if (typeof scope !== 'object') return false
  const { session } = scope
  return !sendsNothing(session.config.mode) || keepsBeside(session.cassette, url)
}

/** Where words of the test or of the user say what is kept, nothing else is compared. */
function readAsked(session: Session, sent: WireRequest, redact: () => Redactor): Incoming {
  const { params, config } = session
  const { volatile } = config
  return params.none && config.redact.length === 0
    ? readIncoming(sent, { volatile, redact: (wire) => redact().request(wire) })
    : readIncoming(redact().request(sent), { volatile })
}

/** Before anything else sees it: what is secret can be neither hashed, nor stored, nor printed. */
function redactorOf(
  { headers, url }: WholeRequest,
  { redact }: ResolvedConfig,
  engine: Engine,
): Redactor {
  return engine().redactorFor(headers, new URL(url), redact)
}

/** Whether it takes a look at pictures to tell what answers. */
function mayLookAlike({ config: { mode, images } }: Session, incoming: Incoming): boolean {
  const isExact = images.match === 'exact' || mode === 'off' || mode === 'all'
  return !isExact && incoming.pictures.length > 0
}

/** Read while the application is still on the stack. */
function originOf({ order, callSite }: Origin): Origin {
  return { order, callSite }
}

function respondTo(answer: Answer, asking: Asking): Answered {
  if (answer.action === 'replay') return replay(answer, asking)
  const { request, context, session, redact, engine } = asking
  switch (answer.action) {
    case 'record':
      engine().warnOfPassed(context.scope, request.url)
      return engine().recordUpstream(request, answer, redact())
    case 'refuse':
      return engine().refuseMiss(request.url, session, answer.miss)
    case 'live':
      return undefined
  }
}

function replay(answer: ReplayAnswer, { request, context }: Asking): Answered {
  const response = showHarmless(answer.response)
  if (response.aborted === 'before-headers') {
    waitForNothing(context)
    return silence(request.signal)
  }
  // What is no plain request is broken off where it is given out.
  const asked = isPlain(request) ? request : undefined
  if (answer.delayMs === 0) return replayResponse(response, asked)
  return waitFor(answer.delayMs).then(() => replayResponse(response, asked))
}

function refuseFailed(url: string, { context: { scope } }: JudgedCall, error: Error): Response {
  if (scope) (scope as Attempt).reject(asCassetteError(error))
  return refuse(url, error.message)
}

function twoWayError({ host, pathname }: URL): CassetteError {
  return new CassetteError(
    'refused',
    `${host}${pathname} is answered while it is still being asked, so there is no whole prompt to compare: ` +
      'it can be neither recorded nor replayed, and is not sent. Put a fake of your own in its place, or run with RECORD=off.',
  )
}

function asCassetteError(error: Error): CassetteError {
  if (CassetteError.isInstance(error)) return error
  return new CassetteError('internal', `vitest-cassette failed: ${error.message}`, { cause: error })
}
