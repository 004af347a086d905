import type { Exchange } from '../../../cassette/cassette.ts'
import { mayLead } from '../../../engine/may-lead.ts'
import { holdsText, MAY_BE_PLACEHOLDER } from '../../../text/holds-text.ts'
import type { Flight } from '../../../replay/flights.ts'
import type { PlainRequest } from '../http/plain-request.ts'
import { replayResponse } from './replay-response.ts'

/** Replays an exchange that its text alone does not tell; `undefined` where a session has to. */
export function replayDecoded(
  { wire }: Exchange,
  asked: PlainRequest,
  flight: Flight,
): Response | undefined {
  const response = wire?.response
  if (!response) return undefined
  const { status, headers, body, cut, aborted } = response
  const isWhole = status < 300 && !cut && aborted === undefined && !mayLead(asked.url, headers)
  const isHarmless = !holdsText(body, MAY_BE_PLACEHOLDER)
  return isWhole && isHarmless ? replayResponse(response, asked, { flight }) : undefined
}
