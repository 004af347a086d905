import { readIncoming } from '../engine/incoming.ts'
import { replayAtOnce } from '../engine/replay-at-once.ts'
import { remember } from '../remember.ts'
import { readText } from '../wire/body.ts'
import { keepAskingHeaders, type WireRequest } from '../wire/message.ts'
import { isLlmCall } from './is-llm-call.ts'
import { keptUrl } from './kept-url.ts'
import { judgeUrl } from './llm-call.ts'
import type { PlainRequest } from './plain-request.ts'
import { replayResponse } from './replay.ts'
import type { TestScope } from './scope.ts'
import { nextOrder } from './stamp.ts'

const keptUrlOf = remember((url) => keptUrl(new URL(url)))

/**
 * Answers a request that is recorded as it stands, without a wait and without what only others need: a
 * place in the code to name, the credentials of the environment. One that holds a credential is recorded
 * with a placeholder and therefore never answered here. `undefined` for whatever is not that simple: it
 * goes the whole way, and nothing has happened to it.
 */
export function answerAtOnce(request: PlainRequest, scope: TestScope): Response | undefined {
  try {
    const { redact, volatile } = scope.config
    if (redact.length > 0) return undefined
    const wire = readPlain(request)
    if (!isLlmCall(judgeUrl(wire.method, request.url, scope.config), wire)) return undefined
    const { session } = scope
    const incoming = readIncoming(wire, volatile)
    const answer = replayAtOnce(session, incoming, nextOrder())
    return answer && replayResponse(answer, request.signal)
  } catch {
    // The whole way says what is wrong.
    return undefined
  }
}

function readPlain({ url, headers, text }: PlainRequest): WireRequest {
  const body = readText(text, false)
  return { method: 'POST', url: keptUrlOf(url), ...keepAskingHeaders(headers), body }
}
