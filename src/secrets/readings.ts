/** Base64 that is long enough to hold a credential. */
const BASE64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g

/** What no text holds, and decoded images do at once. */
// oxlint-disable-next-line no-control-regex -- asks for control characters
const BINARY = /[\u0000-\u0008\u000e-\u001f\ufffd]/

/** Encodings inside of encodings beyond this are meant to hide something else. */
const MAX_DEPTH = 3

/** A text in every way that it can be read: as it is, and with escapes, percent signs and base64 undone. */
export function readingsOf(text: string, depth: number = MAX_DEPTH): string[] {
  const decoded = depth > 0 ? [unescape(text), decodePercent(text), ...decodeBase64(text)] : []
  return [
    text,
    ...decoded.flatMap((reading) =>
      reading === undefined || reading === text ? [] : readingsOf(reading, depth - 1),
    ),
  ]
}

function unescape(text: string): string | undefined {
  if (!/\\+u00[0-9a-f]{2}/i.test(text)) return undefined
  return text.replaceAll(/\\+u(00[0-9a-f]{2})/gi, (_, code: string) => character(code))
}

function decodePercent(text: string): string | undefined {
  if (!/%[2-7][0-9a-f]/i.test(text)) return undefined
  return text.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) => character(code))
}

function decodeBase64(text: string): string[] {
  return Array.from(text.matchAll(BASE64), ([run]) => run).flatMap((run) => {
    // An image shows what it is in its first bytes, and can be long.
    const start = Buffer.from(run.slice(0, 64), 'base64').toString()
    if (BINARY.test(start.slice(0, -1))) return []
    const decoded = Buffer.from(run, 'base64').toString()
    return BINARY.test(decoded.slice(0, -1)) ? [] : [decoded]
  })
}

function character(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}
