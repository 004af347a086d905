import { orderSpans, spansOf, type TextSpan } from '../../json/text-span.ts'
import { readUtf8 } from '../../wire/utf8.ts'

/** Characters that HTML has names for. */
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: `'`,
  sol: '/',
  equals: '=',
  plus: '+',
  hyphen: '-',
  lowbar: '_',
  colon: ':',
  commat: '@',
  period: '.',
}

const WHITE: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Backslashes before an escape, as many as texts inside of texts have. */
const BACKSLASHES = String.raw`\\{1,32}`

/** A cheap check: no other character begins an escape. */
const MAY_ESCAPE = /[\\%&\u0080-\uffff]/

/** Ways to spell characters: a pattern, and what a match of it says; `undefined` where it says nothing. */
const ESCAPES: ReadonlyArray<[pattern: RegExp, read: (...match: string[]) => string | undefined]> =
  [
    [
      // JSON and programs: `\u0041`, `\U00000041`, `\u{41}`, `\x41`, `\101`, `\n`, `\"`, `\\`.
      new RegExp(
        String.raw`${BACKSLASHES}(?:u(?:0000)?([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([01][0-7]{1,2})|([nrt"'/]))|\\{2,32}`,
        'gi',
      ),
      (_, unit, point, byte, octal, other) => {
        if (other) return WHITE[other.toLowerCase()] ?? other
        if (octal) return character(octal, 8)
        const code = unit ?? point ?? byte
        return code === undefined ? '\\' : character(code, 16)
      },
    ],
    [
      // Addresses, also those that are parameters of others: `%2D`, `%252D`, `%u002D`.
      /%(?:25)*u00([2-7][0-9a-f])|(?:%(?:25)*[0-9a-f]{2})+/gi,
      (run, unit) => {
        if (unit) return character(unit, 16)
        const bytes = run!.match(/[0-9a-f]{2}(?=%|$)/gi)!
        return readUtf8(Buffer.from(bytes.join(''), 'hex'))
      },
    ],
    [
      new RegExp(
        String.raw`&(?:#x([0-9a-f]{1,6});?|#(\d{1,7});?|(${Object.keys(NAMED).join('|')});)`,
        'gi',
      ),
      (_, hex, decimal, name) => {
        if (name) return NAMED[name.toLowerCase()]
        return hex ? character(hex, 16) : character(decimal!, 10)
      },
    ],
    // Letters and digits in the width of Chinese characters.
    [/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide!.charCodeAt(0) - 0xfee0)],
    // Characters that are displayed as nothing: soft hyphens, joiners, marks of direction, tags.
    [/\p{DI}+/gu, () => ''],
  ]

/** The escapes in a text, and what they say: of JSON, programs, addresses and HTML, and what nobody sees. */
export function escapesIn(text: string): TextSpan[] {
  if (!MAY_ESCAPE.test(text)) return []
  return orderSpans(ESCAPES.flatMap(([pattern, read]) => spansOf(text, pattern, read)))
}

/** From places in a text without its escapes to those in the text. */
export function placesBefore(
  escapes: readonly TextSpan[],
): (place: number, isEnd: boolean) => number {
  return (place, isEnd) => {
    let moved = 0
    for (const { start, end, text } of escapes) {
      const at = start - moved
      if (isEnd ? place <= at : place < at) break
      // A place amid what an escape spells is its beginning, or its end.
      if (place < at + text.length) return isEnd ? end : start
      moved += end - start - text.length
    }
    return place + moved
  }
}

function character(code: string, base: number): string {
  const point = Number.parseInt(code, base)
  return point > 0x10ffff ? '' : String.fromCodePoint(point)
}
