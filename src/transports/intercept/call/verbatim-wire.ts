import { remember } from '../../../remember.ts'
import { readText } from '../../../wire/body.ts'
import { keepAskingHeaders } from '../../../providers/asking-headers.ts'
import type { WireRequest } from '../../../wire/message.ts'
import { keepUrl } from '../../../wire/url.ts'
import type { PlainRequest } from '../http/fetch-interceptor.ts'

/** Addresses as they are stored; `undefined` for those of which the values of parameters are stored as digests. */
export const keptAsItIs = remember((href): { kept?: string } => {
  let isDigested = false
  const kept = keepUrl(new URL(href), () => String((isDigested = true)))
  return isDigested ? {} : { kept }
})

/** The parts of a request that are stored and compared; `undefined` where a digest stands for one of them. */
export function verbatimWire({
  method,
  url,
  headers,
  body,
}: PlainRequest): WireRequest | undefined {
  const { kept } = keptAsItIs(url)
  let isDigested = false
  const asking = keepAskingHeaders(headers, () => String((isDigested = true)))
  return kept === undefined || isDigested
    ? undefined
    : { method, url: kept, ...asking, body: readText(body, false) }
}
