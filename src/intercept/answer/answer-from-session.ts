import { answerSeeing } from './answer-seeing.ts'
import { readLive } from '../../engine/incoming.ts'
import { replayAtOnce } from '../../engine/replay-at-once.ts'
import { redactorFor } from '../../secrets/redactor.ts'
import type { WireRequest } from '../../wire/message.ts'
import type { JudgedCall } from './judged-call.ts'
import { isLlmCall } from '../call/is-llm-call.ts'
import { waitFor } from '../patch/next-turn.ts'
import { reportOutside } from '../context/outside.ts'
import { refuse } from '../call/refusal.ts'
import { replayResponse } from './replay.ts'
import { recordUpstream } from './upstream.ts'
import type { WholeRequest } from '../call/whole-request.ts'

/** Answers a request from the session of its test: replays, records or refuses it; `undefined` lets it pass. */
export async function answerFromSession(
  request: WholeRequest,
  read: WireRequest,
  { url, judged, config, stamp: { scope, order, callSite } }: JudgedCall,
): Promise<Response | undefined> {
  if (!isLlmCall(judged, read)) return undefined
  if (typeof scope === 'object') {
    const asItStands = replayAtOnce(scope.session, read, order)
    if (asItStands) return replayResponse(asItStands)
  }
  const { redact } = typeof scope === 'object' ? scope.config : config
  const secrets = redactorFor(request.headers, url, redact)
  const redactor = typeof scope === 'object' ? scope.session.params.around(secrets) : secrets
  // Before anything else sees it: what is redacted can be neither hashed, nor stored, nor printed.
  const wire = redactor.request(read)
  if (typeof scope !== 'object') return refuse(request.url, reportOutside(wire, callSite))
  const { session } = scope
  const incoming = readLive(wire, session.config.volatile)
  const answer = await answerSeeing(session, incoming, order, callSite)
  switch (answer.action) {
    case 'replay':
      if (answer.delayMs > 0) await waitFor(answer.delayMs)
      return replayResponse(answer.response)
    case 'record':
      return recordUpstream(request, answer, redactor)
    case 'refuse': {
      // Loads what tells texts apart, which replay never needs.
      const { explainBriefly } = await import('../../explain/explain.ts')
      return refuse(request.url, explainBriefly(session, answer.miss))
    }
    case 'live':
      return undefined
  }
}
