import { web } from '../../../real/web.ts'
import type { ReplayAnswer } from '../../../engine/session-contract.ts'
import { textOf, writeBody } from '../../../wire/body.ts'
import { headerPairs, SET_COOKIE, type WireResponse } from '../../../wire/message.ts'
import { fetchedResponse, markWhole } from '../call/fetched-response.ts'
import { streamOf } from './recorded-stream.ts'
import type { PlainRequest } from '../http/plain-request.ts'

/**
 * The recorded answer as a Response: the recorded bytes, with each event in a chunk of its own.
 *
 * @param asked a call of fetch, which gets a response of fetch. Its signal breaks the body off
 * @param how `pace` delays the chunks; `flight` tracks how many the client has read
 */
export function replayResponse(
  { status, headers, body, cut = false, aborted }: WireResponse,
  asked?: Pick<PlainRequest, 'url' | 'signal'>,
  { pace, flight }: Pick<ReplayAnswer, 'pace' | 'flight'> = {},
): Response {
  const signal = asked?.signal
  const respond = (content: BodyInit | null): Response => {
    const init = { status, headers: SET_COOKIE in headers ? headerPairs(headers) : headers }
    // At such a status fetch may follow a redirect, and makes a response of its own.
    const response =
      asked && (status < 300 || status >= 400)
        ? fetchedResponse(content, init, asked.url)
        : new web.Response(content, init)
    if (flight) flight.response = response
    return response
  }
  const isText = body.kind === 'json' || body.kind === 'text'
  // A Response takes a text faster than bytes, but adds a content type to one without.
  if (!pace && !signal && !cut && aborted === undefined && isText && headers['content-type'])
    return markWhole(respond(textOf(body)))
  const all = writeBody(body) as Uint8Array<ArrayBuffer>[]
  const isSilent = typeof aborted === 'number'
  const chunks = isSilent ? all.slice(0, aborted) : all
  const ending = isSilent ? 'silence' : cut ? 'cut' : 'end'
  // Without a framing, a broken connection would read as the end of the answer.
  if (ending !== 'end') headers = { ...headers, 'transfer-encoding': 'chunked' }
  const isPlain = chunks.length <= (signal || pace ? 0 : 1) && ending === 'end'
  if (isPlain) return markWhole(respond(chunks[0] ?? null))
  const waitMs = pace ? ('eachMs' in pace ? pace.eachMs : pace.allMs / chunks.length) : 0
  return respond(streamOf(chunks, ending, signal, { waitMs, flight }))
}
