import { readIncoming } from '../engine/incoming.ts'
import { replayAtOnce } from '../engine/replay-at-once.ts'
import { remember } from '../remember.ts'
import { readText } from '../wire/body.ts'
import { keepAskingHeaders, type WireRequest } from '../wire/message.ts'
import { isLlmCall } from './is-llm-call.ts'
import { keptUrl } from './kept-url.ts'
import { judgeAddress } from './llm-call.ts'
import type { PlainRequest } from './plain-request.ts'
import { replayResponse } from './replay.ts'
import type { TestScope } from './scope.ts'
import { nextOrder } from './stamp.ts'

/** An address, and how it is kept. */
const readUrl = remember((url) => {
  const address = new URL(url)
  return { address, kept: keptUrl(address) }
})

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
    const { address, kept } = readUrl(request.url)
    const wire = readPlain(request, kept)
    if (!isLlmCall(judgeAddress(wire.method, address, scope.config), wire)) return undefined
    const { session } = scope
    const incoming = readIncoming(wire, volatile)
    const answer = replayAtOnce(session, incoming, nextOrder())
    return answer && replayResponse(answer, request.signal)
  } catch {
    // The whole way says what is wrong.
    return undefined
  }
}

function readPlain({ headers, text }: PlainRequest, url: string): WireRequest {
  return { method: 'POST', url, ...keepAskingHeaders(headers), body: readText(text, false) }
}
