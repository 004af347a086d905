// Loaded at the first query with bytes that are no text: `load-bytes.ts` names it.

/** What stands in a text for a byte that is no UTF-8, so that no two queries become one: a surrogate that stands alone. */
const BYTE = 0xdc00
const BYTES = /([\u{DC80}-\u{DCFF}])/u

/** A character of UTF-8 with several bytes, or a byte of none. */
const UTF8 =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|[\x80-\xff]/g

/** The parameters of a query in their order, with the bytes that are no text. */
export function pairsOfBytes(search: string): Array<[name: string, value: string]> {
  const parts = search.slice(1).split('&').filter(Boolean)
  return parts.map((part) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? []
    return [decodeForm(name), decodeForm(value)]
  })
}

/** The spelling of a name or value of a query that has such bytes. */
export function encodeBytes(text: string): string {
  return text
    .split(BYTES)
    .map((part) =>
      BYTES.test(part)
        ? `%${(part.charCodeAt(0) - BYTE).toString(16).toUpperCase()}`
        : new URLSearchParams([['', part]]).toString().slice(1),
    )
    .join('')
}

function decodeForm(spelled: string): string {
  const bytes = spelled
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return bytes.replaceAll(UTF8, (run) =>
    run.length > 1
      ? Buffer.from(run, 'latin1').toString()
      : String.fromCharCode(BYTE + run.charCodeAt(0)),
  )
}
