import { canonicalHeaders, keepAskingHeaders } from './asking-headers.ts'
import { shortSha256 } from '../prompt/request-hash.ts'
import { loadLater } from '../real/load-later.ts'
import { remember } from '../remember.ts'
import { MAY_BE_PLACEHOLDER } from '../text/holds-text.ts'
import { hostWithoutPort } from '../wire/address.ts'
import { keepUrl } from '../wire/url.ts'

/** What counts of a request before its body, as the raw hash has it. */
export function rawHead(method: string, url: string, headers?: Record<string, string>): string {
  let lines = ''
  if (headers) for (const line of canonicalHeaders(headers)) lines += `${line}\n`
  return `${method} ${rawAddress(url)}\n${lines}\n`
}

const rawAddress = remember((url: string): string => {
  const address = new URL(url)
  return hostWithoutPort(address) + address.pathname.replaceAll('^', '%5E') + address.search
})

/** A request before redaction, with its body as text. */
export interface SentText {
  method: string
  url: string
  headers: Iterable<[name: string, value: string]>
  body: string
}

/** From this length on, a request is worth comparing with the one before it. */
const LONG = 16_384

const loadGrowing = loadLater('./hash-growing.mjs', () => import('./kit/hash-growing.ts'))

const keptUrl = remember((url: string): string => keepUrl(new URL(url), (value) => value))

/** The raw hash of a request; `undefined` where that of a recording can be of another text. */
export function rawHashOfSent({ method, url, headers, body }: SentText): string | undefined {
  let isDigested = false
  const kept = keepAskingHeaders(headers, () => String((isDigested = true)), url)
  const head = rawHead(method, keptUrl(url), kept.headers)
  if (isDigested || MAY_BE_PLACEHOLDER.test(head) || MAY_BE_PLACEHOLDER.test(body)) return undefined
  return body.length < LONG
    ? shortSha256(head + body)
    : loadGrowing().hashGrowing(head, body).slice(0, 22)
}
