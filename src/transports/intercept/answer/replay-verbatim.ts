import type { RecordedExchange } from '../../../cassette/cassette.ts'
import { mayLead } from '../../../engine/may-lead.ts'
import type { Verbatim, RequestHead } from '../../../engine/verbatim.ts'
import { textOf } from '../../../wire/body.ts'
import { isTwoWay } from '../../answer.ts'
import { type LlmCall } from '../call/judge-address.ts'
import { possibleOwners } from './possible-owners.ts'
import type { RequestContext } from '../context/request-context.ts'
import type { PlainRequest } from '../http/fetch-interceptor.ts'
import { replayResponse } from './replay-response.ts'
import { keepAskingHeaders } from '../../../providers/asking-headers.ts'
import { keptAsItIs } from '../../../wire/url.ts'

/**
 * Answers a call of fetch that was recorded word for word, and whose turn it is. For every other request it changes
 * nothing and returns `undefined`: the session of its test answers, and says what is different.
 */
export function replayVerbatim(
  request: Request | PlainRequest,
  judged: LlmCall,
  { scope, order, open, isAnswered }: RequestContext,
): Response | undefined {
  const isPlain = typeof request.body === 'string' && !open && !isAnswered
  if (!isPlain || typeof scope !== 'object' || judged === 'beside') return undefined
  if (isTwoWay(request.url) || scope.isOver(order) || possibleOwners(scope, order)) return undefined
  const { verbatim } = scope
  const exchange = verbatim && findNext(verbatim, request as PlainRequest)
  if (!exchange || !answersAsRecorded(exchange)) return undefined
  const response = replayResponse(exchange.wire.response, request as PlainRequest)
  verbatim!.play(order)
  return response
}

function findNext(verbatim: Verbatim, request: PlainRequest): RecordedExchange | undefined {
  const head = verbatimHead(request)
  try {
    return head && verbatim.next(head, request.body)
  } catch {
    // An exchange that cannot be decoded: the session says why.
    return undefined
  }
}

/** Whether the client gets the answer as it is stored, and nothing else follows from it. */
function answersAsRecorded({ wire: { request, response } }: RecordedExchange): boolean {
  const { status, headers, body, cut, aborted } = response
  const isWhole = status < 300 && !cut && aborted === undefined
  const isHarmless = body.kind !== 'json' || !textOf(body).includes('<REDACTED:')
  return isWhole && isHarmless && !mayLead(request.url, headers)
}

/** The head of a request that is stored and compared; `undefined` where a digest stands for a part of it. */
function verbatimHead({ method, url, headers }: PlainRequest): RequestHead | undefined {
  const { kept } = keptAsItIs(url)
  let isDigested = false
  const asking = keepAskingHeaders(headers, () => String((isDigested = true)), url)
  return kept === undefined || isDigested ? undefined : { method, url: kept, ...asking }
}
