import type { TextSpan } from '../../json/text-span.ts'

/** A cheap check: if it is false, no address is signed. */
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

/** A cheap check: if it is false, `findSignatures` finds nothing. */
export function mayHoldSignature(text: string): boolean {
  return MARK.test(text)
}

/** Finds the signatures of addresses that soon expire, as providers send them: what they sign is not the user's. */
export function findSignatures(text: string): TextSpan[] {
  if (!mayHoldSignature(text)) return []
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
