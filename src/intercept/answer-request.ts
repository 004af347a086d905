import type { ResolvedConfig } from '../config/resolved-config.ts'
import { dialectOf } from '../dialects/index.ts'
import { CassetteError } from '../errors.ts'
import { explainBriefly } from '../engine/explain.ts'
import { readIncoming } from '../engine/incoming.ts'
import { Session } from '../engine/session.ts'
import { sha256 } from '../prompt/sha256.ts'
import { readBody } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'
import { keepUrl } from '../wire/url.ts'
import { judgeAddress } from './llm-call.ts'
import { reportOutside } from './outside.ts'
import { refuse } from './refusal.ts'
import { replayResponse } from './replay.ts'
import { takeStamp, type Stamp } from './stamp.ts'
import { recordUpstream } from './upstream.ts'

/** Answers a request on whichever road it came; `undefined` lets it pass untouched. */
export async function answerRequest(
  request: Request,
  config: ResolvedConfig,
): Promise<Response | undefined> {
  const url = new URL(request.url)
  const judged = judgeAddress(request.method, url, config.hosts)
  if (judged === 'no' || config.mode === 'off') return undefined

  const stamp = takeStamp(request)
  if (stamp.scope === 'upstream') return undefined
  try {
    const bytes = await request.clone().arrayBuffer()
    const wire = readRequest(request, url, new Uint8Array(bytes))
    if (judged === 'likely' && dialectOf(wire).name === 'generic') return undefined
    return await answerLlmCall(request, bytes, wire, stamp)
  } catch (error) {
    // Thrown on, it would become a 500, which every SDK tries again.
    const { message } = error as Error
    if (stamp.scope) stamp.scope.reject(asCassetteError(error as Error))
    return refuse(request.url, message)
  }
}

async function answerLlmCall(
  request: Request,
  bytes: ArrayBuffer,
  wire: WireRequest,
  { scope, order, callSite }: Stamp,
): Promise<Response | undefined> {
  if (!(scope instanceof Session)) return refuse(request.url, reportOutside(wire, callSite))
  const answer = scope.answer(readIncoming(wire, scope.config.volatile), order, callSite)
  switch (answer.action) {
    case 'replay':
      return replayResponse(answer.response)
    case 'record':
      return recordUpstream(request, bytes, answer.recording, answer.done)
    case 'refuse':
      return refuse(request.url, explainBriefly(scope, answer.miss))
    case 'live':
      return undefined
  }
}

function asCassetteError(error: Error): CassetteError {
  if (CassetteError.isInstance(error)) return error
  return new CassetteError('internal', `vitest-cassette failed: ${error.message}`, { cause: error })
}

function readRequest(request: Request, url: URL, bytes: Uint8Array): WireRequest {
  return {
    method: request.method,
    url: keepUrl(url, (value) => sha256(value).slice(0, 12)),
    body: readBody(bytes),
  }
}
