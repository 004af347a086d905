import { readText } from '../../../wire/body.ts'
import { keepAskingHeaders } from '../../../providers/asking-headers.ts'
import type { WireRequest } from '../../../wire/message.ts'
import { keptAsItIs } from '../../../wire/url.ts'
import type { PlainRequest } from '../http/fetch-interceptor.ts'

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
