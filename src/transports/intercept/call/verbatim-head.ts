import { keepAskingHeaders } from '../../../providers/asking-headers.ts'
import type { RequestHead } from '../../../engine/verbatim.ts'
import { keptAsItIs } from '../../../wire/url.ts'
import type { PlainRequest } from '../http/fetch-interceptor.ts'

/** The head of a request that is stored and compared; `undefined` where a digest stands for a part of it. */
export function verbatimHead({ method, url, headers }: PlainRequest): RequestHead | undefined {
  const { kept } = keptAsItIs(url)
  let isDigested = false
  const asking = keepAskingHeaders(headers, () => String((isDigested = true)))
  return kept === undefined || isDigested ? undefined : { method, url: kept, ...asking }
}
