import type { ResolvedConfig } from '../config/resolved-config.ts'
import { dialectOf } from '../dialects/index.ts'
import { CassetteError } from '../errors.ts'
import { explainBriefly } from '../engine/explain.ts'
import { readIncoming } from '../engine/incoming.ts'
import { Session } from '../engine/session.ts'
import { redactorFor } from '../secrets/redactor.ts'
import { sha256 } from '../prompt/sha256.ts'
import { readRequestBody } from '../wire/body.ts'
import { decodeContent } from '../wire/content-coding.ts'
import { keepAskingHeaders, type WireRequest } from '../wire/message.ts'
import { keepUrl } from '../wire/url.ts'
import { matchesHost } from './host-pattern.ts'
import { isTwoWay, judgeAddress } from './llm-call.ts'
import { reportOutside } from './outside.ts'
import { answerPreflight, meantMethod } from './preflight.ts'
import { refuse } from './refusal.ts'
import { replayResponse } from './replay.ts'
import { configOf } from './scope.ts'
import { answerSideRequest, sideRequestOf } from './side-request.ts'
import { takeStamp, type Stamp } from './stamp.ts'
import { recordUpstream } from './upstream.ts'

/** Answers a request on whichever road it came; `undefined` lets it pass untouched. */
export async function answerRequest(
  request: Request,
  ofFile: ResolvedConfig,
): Promise<Response | undefined> {
  const url = new URL(request.url)
  const stamp = takeStamp(request)
  const config = configOf(stamp.scope, ofFile)
  const judged = judgeAddress(meantMethod(request), url, config)
  if (config.mode === 'off') return undefined
  if (judged === 'no') return config.mode === 'replay' ? answerBeside(url, config) : undefined

  if (stamp.scope === 'upstream') return undefined
  const preflight = answerPreflight(request)
  if (preflight) return preflight
  try {
    if (isTwoWay(url.pathname)) throw twoWayError(url)
    const bytes = await request.clone().arrayBuffer()
    const wire = readRequest(request, url, new Uint8Array(bytes))
    if (judged === 'likely' && dialectOf(wire).name === 'generic') return undefined
    return await answerLlmCall(request, bytes, wire, config, stamp)
  } catch (error) {
    // Thrown on, it would become a 500, which every SDK tries again.
    const { message } = error as Error
    if (stamp.scope) stamp.scope.reject(asCassetteError(error as Error))
    return refuse(request.url, message)
  }
}

/** Answers what an LLM library asks beside the model; what nobody asks for the model's sake passes. */
function answerBeside(url: URL, { allowHosts }: ResolvedConfig): Response | undefined {
  const kind = matchesHost(url, allowHosts) ? undefined : sideRequestOf(url)
  return kind && answerSideRequest(kind)
}

async function answerLlmCall(
  request: Request,
  bytes: ArrayBuffer,
  read: WireRequest,
  config: ResolvedConfig,
  { scope, order, callSite }: Stamp,
): Promise<Response | undefined> {
  const { redact } = scope instanceof Session ? scope.config : config
  const redactor = redactorFor(request.headers, new URL(request.url), redact)
  // Before anything else sees it: what is redacted can be neither hashed, nor stored, nor printed.
  const wire = redactor.request(read)
  if (!(scope instanceof Session)) return refuse(request.url, reportOutside(wire, callSite))
  const answer = scope.answer(readIncoming(wire, scope.config.volatile), order, callSite)
  switch (answer.action) {
    case 'replay':
      return replayResponse(answer.response)
    case 'record':
      return recordUpstream(request, bytes, answer, redactor)
    case 'refuse':
      return refuse(request.url, explainBriefly(scope, answer.miss))
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

function readRequest(request: Request, url: URL, bytes: Uint8Array): WireRequest {
  return {
    method: request.method,
    url: keepUrl(url, (value) => sha256(value).slice(0, 12)),
    ...keepAskingHeaders(request.headers),
    body: readRequestBody(
      decodeContent(bytes, request.headers.get('content-encoding')),
      request.headers.get('content-type') ?? '',
    ),
  }
}
