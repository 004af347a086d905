import { type Exchange, isRecorded } from '../../cassette/cassette.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { defined } from '../../providers/fields.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { describeImported } from '../sources/imported.ts'

/** What decides how an answer is judged, beside what it says. */
export function marksOfAnswer(exchange: Exchange): JsonObject {
  const isKept = isRecorded(exchange) && exchange.response.kept === true
  return defined({
    kept: isKept || undefined,
    'written by hand': !isRecorded(exchange) || undefined,
    status: statusOf(exchange),
    cut: exchange.wire?.response?.cut || undefined,
    aborted: abortedIn(exchange.wire?.response),
  }) as JsonObject
}

/** What decides how a request is compared, beside what it asks. */
export function marksOfRequest(request: WireRequest | undefined): JsonObject {
  return defined({ imported: request && describeImported(request) }) as JsonObject
}

/** The status of a failed answer; every other one is taken as a success. */
function statusOf(exchange: Exchange): number | undefined {
  const { wire, response } = exchange
  const written = 'status' in response ? response.status : undefined
  const status = wire?.response?.status ?? written ?? 200
  return status < 300 ? undefined : status
}

function abortedIn(response: WireResponse | undefined): string | undefined {
  if (response?.aborted === undefined) return undefined
  return response.aborted === 'before-headers'
    ? 'the client gave up before the answer'
    : 'the client gave up in the answer'
}
