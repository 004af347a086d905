import { judgeHere } from '../context/judge-here.ts'
import type { Later } from './later.ts'
import type { PlainRequest } from '../call/plain-request.ts'
import { replayResponse } from './replay.ts'
import type { TestScope } from '../context/scope.ts'
import { nextOrder } from '../context/stamp.ts'
import { wireRequest } from '../call/wire-request.ts'

/**
 * Answers a request that is recorded as it stands, without a wait and without what only others need: a
 * place in the code to name, the credentials of the environment, and, where it is asked in its turn, the engine.
 * `undefined` for whatever is not that simple: it goes the whole way, and nothing has happened to it.
 */
export function answerAtOnce(
  request: PlainRequest,
  scope: TestScope,
  later: Later,
): Response | undefined {
  try {
    const wire = wireRequest(request)
    const order = nextOrder()
    const verbatim = scope.verbatimAt(order)?.answer(wire, order)
    if (verbatim) return replayResponse(verbatim, request.signal)
    const { isLlmCall, replayAtOnce } = later.engine()
    const judged = judgeHere(wire.method, request.url, scope, scope.config)
    if (!isLlmCall(judged, wire)) return undefined
    const answer = replayAtOnce(scope.session, wire, order)
    return answer && replayResponse(answer, request.signal)
  } catch {
    // The whole way says what is wrong.
    return undefined
  }
}
