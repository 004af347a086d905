import { findLikely, type SecretHit } from '../find-likely.ts'
import { bytesPrintedIn } from './byte-lists.ts'
import { encodedRuns, runsIn } from './encoded-runs.ts'
import { picturesWithTexts } from './picture-texts.ts'

/** Stands where a run is left out; a match that reaches over it is no credential. */
const BORDER = '\n\u0000\n'

/** A longer run of letters and digits is no credential, but a picture, speech or video. */
const MAX_RUN = 16_384

/** Looks for credentials in a text, as it stands. Of rules that find the same, or parts of it, the first counts. */
export function scanText(text: string): SecretHit[] {
  const hits = findLikely(withoutLongRuns(text))
    .filter(({ secret }) => !secret.includes(BORDER))
    .map((hit, rank) => ({ ...hit, rank }))
    .sort((one, other) => one.at - other.at)
  const found: typeof hits = []
  let end = -1
  for (const hit of hits) {
    const isSame = hit.at < end
    end = Math.max(isSame ? end : 0, hit.at + hit.secret.length)
    if (!isSame) found.push(hit)
    else if (hit.rank < found.at(-1)!.rank) found.splice(-1, 1, hit)
  }
  return found
}

/** Puts a border in place of the omitted rest, so that no match reaches over it. */
function withoutLongRuns(text: string): string {
  if (text.length <= MAX_RUN) return text
  let kept = ''
  let from = 0
  for (const [start, end] of runsIn(text, MAX_RUN)) {
    kept += text.slice(from, start + MAX_RUN / 2) + BORDER
    from = end
  }
  return kept + text.slice(from)
}

/** The most encodings inside of encodings: more are meant to hide something else. */
const MAX_DEPTH = 4

/** Anything shorter cannot be told from ordinary words. */
const MIN_LENGTH = 8

/** Backslashes before an escape, one for each text inside of a text; more do not occur. */
const BACKSLASHES = String.raw`\\{1,16}`

/** Escapes of JSON and of programs: `\u0041`, `\U00000041`, `\x41`, `\101`, `\n`, `\"`. */
const BACKSLASHED = new RegExp(
  String.raw`${BACKSLASHES}(?:u(?:0000)?([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([01][0-7]{1,2})|([nrt"'/]))`,
  'gi',
)

const PERCENT = /%(?:u00)?([2-7][0-9a-f])/gi

const ENTITY =
  /&(?:#x([0-9a-f]{1,6});?|#(\d{1,7});?|(amp|lt|gt|quot|apos|sol|equals|plus|hyphen|lowbar|colon|commat|period);)/gi

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

/** Characters without width: soft hyphens, joiners, marks of direction, variation selectors, tags. */
const INVISIBLE = new RegExp(
  String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|\udb40[\udc00-\uddef]`,
)

/** Letters and digits in the width of Chinese characters. */
const WIDE = /[\uff01-\uff5e]/

const INVISIBLE_ALL = new RegExp(INVISIBLE, 'g')

const WHITE: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/**
 * All readings of a text: as it is, with all escapes undone, and the texts in its base64 and hexadecimal digits, the
 * metadata of pictures included. Each step reads the new results of the step before once, so that all readings together
 * are a few times as long as the text.
 */
export function readingsOf(text: string): string[] {
  if (text.length < MIN_LENGTH) return [text]
  const readings = new Set([text])
  let last = [text]
  for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
    const next = last.flatMap((reading) => [
      undoEscapes(reading),
      ...encodedRuns(reading).map(({ decoded }) => decoded),
      ...bytesPrintedIn(reading),
      ...picturesWithTexts(reading).map(({ texts }) => texts),
    ])
    last = [...new Set(next)].filter(
      (reading) => reading.length >= MIN_LENGTH && !readings.has(reading),
    )
    for (const reading of last) readings.add(reading)
  }
  return [...readings]
}

/** Decodes the spelling of a text: undoes escapes of JSON, URLs and HTML, and leaves out invisible characters. */
function undoEscapes(text: string): string {
  let plain = text
  if (text.includes('\\'))
    plain = plain.replaceAll(BACKSLASHED, (_, unit, point, byte, octal, other: string) =>
      other === undefined
        ? character(octal ?? unit ?? point ?? byte, octal === undefined ? 16 : 8)
        : (WHITE[other.toLowerCase()] ?? other),
    )
  if (text.includes('%'))
    plain = plain.replaceAll(PERCENT, (_, code: string) => character(code, 16))
  if (text.includes('&'))
    plain = plain.replaceAll(ENTITY, (_, hex: string, decimal: string, name: string) =>
      name === undefined
        ? character(hex ?? decimal, hex === undefined ? 10 : 16)
        : NAMED[name.toLowerCase()]!,
    )
  if (WIDE.test(plain)) plain = plain.normalize('NFKC')
  return INVISIBLE.test(plain) ? plain.replaceAll(INVISIBLE_ALL, '') : plain
}

function character(code: string, base: number): string {
  const point = Number.parseInt(code, base)
  return point > 0x10ffff ? '' : String.fromCodePoint(point)
}
