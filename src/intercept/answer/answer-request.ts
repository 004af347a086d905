import { sendsNothing } from '../../config/mode.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { matchesHost } from '../../config/host-pattern.ts'
import { judgeHere } from '../context/judge-here.ts'
import type { Later } from './later.ts'
import { closeWhenAnswered } from '../context/open-requests.ts'
import { answerPreflight, meantMethod } from '../call/preflight.ts'
import type { PlainRequest } from '../call/plain-request.ts'
import { configOf } from '../context/scope.ts'
import { answerSideRequest, sideRequestOf } from '../call/side-request.ts'
import { takeStamp, type Stamp } from '../context/stamp.ts'
import { readWhole } from '../call/whole-request.ts'

/**
 * Answers a request on whichever road it came; `undefined` lets it pass untouched. Nothing is loaded for
 * what is no LLM call.
 */
export function answerRequest(
  request: Request,
  ofFile: ResolvedConfig,
  later: Later,
  stamp: Stamp = takeStamp(request),
): Promise<Response | undefined> {
  return closeWhenAnswered(stamp.open, answerStamped(request, ofFile, later, stamp))
}

async function answerStamped(
  request: Request,
  ofFile: ResolvedConfig,
  later: Later,
  stamp: Stamp,
): Promise<Response | undefined> {
  if (stamp.answer) return stamp.answer
  const config = configOf(stamp.scope, ofFile)
  if (config.mode === 'off') return undefined
  const judged = judgeHere(meantMethod(request), request.url, stamp.scope, config)
  const url = new URL(request.url)
  if (judged === 'no') return sendsNothing(config.mode) ? answerBeside(url, config) : undefined

  if (stamp.scope === 'upstream') return undefined
  const preflight = answerPreflight(request)
  if (preflight) return preflight
  const call = { url, judged, config, stamp }
  return later.replay().answerLlmCall(() => readWhole(request), call, later)
}

/** The same of a plain request, whose address was judged before. */
export function answerPlain(
  request: PlainRequest,
  ofFile: ResolvedConfig,
  later: Later,
  stamp: Stamp,
): Promise<Response | undefined> {
  const config = configOf(stamp.scope, ofFile)
  const judged = judgeHere(request.method, request.url, stamp.scope, config)
  const call = { url: new URL(request.url), judged, config, stamp }
  const answer = later.replay().answerLlmCall(() => request, call, later)
  return closeWhenAnswered(stamp.open, answer)
}

/** Answers what an LLM library asks beside the model; what nobody asks for the model's sake passes. */
function answerBeside(url: URL, { allowHosts }: ResolvedConfig): Response | undefined {
  const kind = matchesHost(url, allowHosts) ? undefined : sideRequestOf(url)
  return kind && answerSideRequest(kind)
}
