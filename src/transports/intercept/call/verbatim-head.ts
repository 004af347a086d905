import { remember } from '../../../remember.ts'
import { keepAskingHeaders } from '../../../providers/asking-headers.ts'
import type { RequestHead } from '../../../engine/verbatim.ts'
import { keepUrl } from '../../../wire/url.ts'
import type { PlainRequest } from '../http/fetch-interceptor.ts'

/** Addresses as they are stored; `undefined` for those of which the values of parameters are stored as digests. */
export const keptAsItIs = remember((href): { kept?: string } => {
  let isDigested = false
  const kept = keepUrl(new URL(href), () => String((isDigested = true)))
  return isDigested ? {} : { kept }
})

/** The head of a request that is stored and compared; `undefined` where a digest stands for a part of it. */
export function verbatimHead({ method, url, headers }: PlainRequest): RequestHead | undefined {
  const { kept } = keptAsItIs(url)
  let isDigested = false
  const asking = keepAskingHeaders(headers, () => String((isDigested = true)))
  return kept === undefined || isDigested ? undefined : { method, url: kept, ...asking }
}
