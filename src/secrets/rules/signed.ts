import { spansOf, type TextSpan } from '../../json/text-span.ts'
import { placeholderOf } from '../../text/placeholder.ts'
import { restOf } from './rest-of.ts'

/** A cheap check: if it is false, `findSigned` finds nothing. */
export function mayHoldSigned(text: string): boolean {
  return text.includes(START) || MARK.test(text)
}

/** Finds what is replaced wherever it stands, whatever its value is: signed tokens, and the signatures of addresses. */
export function findSigned(text: string): TextSpan[] {
  return [...findTokens(text), ...findSignatures(text)]
}

/** The beginning of every JSON object in base64, and so of every JWT. */
const START = 'eyJ'

/** A header and claims, then the signature; as long as headers may be, so that no run of megabytes is searched. */
export const JWT: RegExp = /(?<![A-Za-z0-9_-])eyJ[\w-]{8,16000}\.eyJ[\w-]{8,16000}\.[\w-]{16,2000}/g

/** Finds signed tokens, which are replaced wherever they stand. What they claim counts, and who signed it does not. */
function findTokens(text: string): TextSpan[] {
  if (!text.includes(START)) return []
  return spansOf(
    text,
    JWT,
    (token) => placeholderOf('jwt') + restOf(token!.slice(0, token!.lastIndexOf('.'))),
  )
}

/** A parameter of every signed address. */
const MARK = /sig(?:nature)?=/i

const ADDRESS = /https?:\/\/[^\s"'<>]{1,6000}/g

/** Of an address, between its parameters: as it is, and as HTML and JSON spell it. */
const BETWEEN = String.raw`(?:[?&;]|&amp;|\\{1,8}u0026)`

/** The parameters of Azure, Amazon, Google, CloudFront, Alibaba, Volcengine and Tencent that open something. */
const SECRET = new RegExp(
  String.raw`(?<=${BETWEEN})(?:sig|(?:q-)?signature|x-(?:amz|cos|goog|oss|tos)-(?:signature|credential|security-token)|(?:aws|oss)accesskeyid|q-ak)=(?<value>[^&;\s\\]+)`,
  'gi',
)

/** The parameters with the seconds for which an address is good. */
const EXPIRES = ['x-amz-expires', 'x-goog-expires', 'x-oss-expires', 'x-tos-expires']

/** No longer does S3 sign an address; most providers sign for hours. */
const MOST_MS = 7 * 24 * 60 * 60 * 1000

/** Stands for a signature: an address with it can be read, and sent back. */
const REPLACEMENT = 'REDACTED'

/** Finds the signatures of addresses that soon expire, as providers send them: what they sign is not the user's. */
function findSignatures(text: string): TextSpan[] {
  if (!MARK.test(text)) return []
  return Array.from(text.matchAll(ADDRESS)).flatMap(({ 0: address, index: at }) =>
    isShortLived(address)
      ? Array.from(address.matchAll(SECRET), ({ index, 0: pair, groups }) => {
          const end = at + index + pair.length
          return { start: end - groups!.value!.length, end, text: REPLACEMENT }
        })
      : [],
  )
}

/** Whether the signature of an address is only good for days, or was. */
export function isShortLived(address: string): boolean {
  const [, from, to] = /q-sign-time=(\d{10})(?:;|%3b)(\d{10})/i.exec(address) ?? []
  if (to !== undefined) return timeOf(to) - timeOf(from ?? null) <= MOST_MS
  const query = new URLSearchParams(
    address
      .slice(address.indexOf('?') + 1)
      .split(new RegExp(BETWEEN))
      .join('&')
      .toLowerCase(),
  )
  const seconds = Number(EXPIRES.map((name) => query.get(name)).find((one) => one !== null) ?? NaN)
  if (!Number.isNaN(seconds)) return seconds * 1000 <= MOST_MS
  const end = timeOf(query.get('se') ?? query.get('expires'))
  const start = timeOf(query.get('st'))
  return end - (Number.isNaN(start) ? Date.now() : start) <= MOST_MS
}

/** Azure writes dates, and CloudFront seconds since 1970. */
function timeOf(text: string | null): number {
  return text !== null && /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text ?? '')
}
