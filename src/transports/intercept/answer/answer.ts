import { sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { matchesHost } from '../../../config/hosts.ts'
import { answerPreflight, meantMethod } from '../call/preflight.ts'
import { answerSideRequest, sideRequestOf } from '../call/side-request.ts'
import type { PlainRequest } from '../call/plain-request.ts'
import { judgeAtModel, judgeInScope } from '../../llm-call.ts'
import { configOf } from '../../scope.ts'
import type { RequestContext } from '../context/request-context.ts'
import type { Answered } from './answer-llm-call.ts'
import type { Layers } from '../../layers.ts'

/**
 * Answers a request of any entrance. `undefined` lets it pass untouched, and loads nothing.
 *
 * @param ofFile the configuration for requests outside of tests
 */
export function answer(
  request: Request | PlainRequest,
  context: RequestContext,
  ofFile: ResolvedConfig,
  layers: Layers,
): Answered {
  if (context.answer) return context.answer
  const config = configOf(context.scope, ofFile)
  if (config.mode === 'off') return undefined
  const judge = context.isAtModel ? judgeAtModel : judgeInScope
  const judged = context.judged ?? judge(meantMethod(request), request.url, context.scope, config)
  if (judged === 'no')
    return sendsNothing(config.mode) ? answerBeside(new URL(request.url), config) : undefined
  if (context.scope === 'upstream') return undefined
  const preflight = answerPreflight(request)
  if (preflight) return preflight
  if (judged === 'mcp') return layers.mcp().answerMcp(request, config, context)
  return layers.replay().answerLlmCall(request, { judged, config, context }, layers.engine)
}

/** Answers the side requests of LLM libraries, such as telemetry; `undefined` lets all other requests pass. */
function answerBeside(url: URL, { allowHosts }: ResolvedConfig): Response | undefined {
  const kind = matchesHost(url, allowHosts) ? undefined : sideRequestOf(url)
  return kind && answerSideRequest(kind, url)
}
