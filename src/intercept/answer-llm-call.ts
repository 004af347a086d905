import type { ResolvedConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import { answerSeeing } from '../engine/answer-seeing.ts'
import { readIncoming } from '../engine/incoming.ts'
import { replayAtOnce } from '../engine/replay-at-once.ts'
import { redactorFor } from '../secrets/redactor.ts'
import { readRequestBody } from '../wire/body.ts'
import { decodeContent } from '../wire/content-coding.ts'
import { keepAskingHeaders, type WireRequest } from '../wire/message.ts'
import { isLlmCall } from './is-llm-call.ts'
import { keptUrl } from './kept-url.ts'
import { isTwoWay, type LlmCall } from './llm-call.ts'
import { waitFor } from './next-turn.ts'
import { reportOutside } from './outside.ts'
import { refuse } from './refusal.ts'
import { replayResponse } from './replay.ts'
import type { TestScope } from './scope.ts'
import type { Stamp } from './stamp.ts'
import { recordUpstream } from './upstream.ts'

/** A request with what its address and its origin say of it. */
interface JudgedCall {
  url: URL
  judged: LlmCall
  /** What holds where it was made. */
  config: ResolvedConfig
  stamp: Stamp
}

/**
 * Answers what has the address of an LLM call, and reads its body; `undefined` lets it pass, as what is none
 * does.
 */
export async function answerLlmCall(
  request: Request,
  call: JudgedCall,
): Promise<Response | undefined> {
  const { url, judged, stamp } = call
  try {
    if (isTwoWay(url.pathname)) throw twoWayError(url)
    const bytes = await request.arrayBuffer()
    const wire = readRequest(request, new Uint8Array(bytes))
    if (!isLlmCall(judged, wire)) return undefined
    return await answerFromSession(request, bytes, wire, call)
  } catch (error) {
    // Thrown on, it would become a 500, which every SDK tries again.
    const { message } = error as Error
    if (stamp.scope) (stamp.scope as TestScope).reject(asCassetteError(error as Error))
    return refuse(request.url, message)
  }
}

async function answerFromSession(
  request: Request,
  bytes: ArrayBuffer,
  read: WireRequest,
  { url, config, stamp: { scope, order, callSite } }: JudgedCall,
): Promise<Response | undefined> {
  if (typeof scope === 'object') {
    const asItStands =
      scope.verbatim?.answer(read, order) ?? replayAtOnce(scope.session, read, order)
    if (asItStands) return replayResponse(asItStands)
  }
  const { redact } = typeof scope === 'object' ? scope.config : config
  const secrets = redactorFor(request.headers, url, redact)
  const redactor = typeof scope === 'object' ? scope.session.params.around(secrets) : secrets
  // Before anything else sees it: what is redacted can be neither hashed, nor stored, nor printed.
  const wire = redactor.request(read)
  if (typeof scope !== 'object') return refuse(request.url, reportOutside(wire, callSite))
  const { session } = scope
  const incoming = readIncoming(wire, session.config.volatile)
  const answer = await answerSeeing(session, incoming, order, callSite)
  switch (answer.action) {
    case 'replay':
      if (answer.delayMs > 0) await waitFor(answer.delayMs)
      return replayResponse(answer.response)
    case 'record':
      return recordUpstream(request, bytes, answer, redactor)
    case 'refuse': {
      // Loads what tells texts apart, which replay never needs.
      const { explainBriefly } = await import('../engine/explain.ts')
      return refuse(request.url, explainBriefly(session, answer.miss))
    }
    case 'live':
      return undefined
  }
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

function readRequest(request: Request, bytes: Uint8Array): WireRequest {
  return {
    method: request.method,
    url: keptUrl(request.url),
    ...keepAskingHeaders(request.headers),
    body: readRequestBody(
      decodeContent(bytes, request.headers.get('content-encoding')),
      request.headers.get('content-type') ?? '',
    ),
  }
}
