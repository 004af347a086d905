import type { Exchange } from '../cassette/cassette.ts'
import { encodeExchanges } from '../cassette/encode.ts'
import type { StoredCassette } from '../cassette/format.ts'
import { ANSWER_BODY, below, REQUEST_BODY } from '../json/json-pointer.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { nearBorders } from '../json/read-as-one.ts'
import type { Body } from '../wire/body.ts'
import { replaceTexts } from '../wire/replace-texts.ts'
import { findIssued } from './find-likely.ts'
import { bytesIn, bytesPrintedIn } from './find/byte-lists.ts'
import { encodedRuns } from './find/encoded-runs.ts'
import { findSqueezed } from './find/find-known.ts'
import { picturesWithTexts, textsIn, textsOfPicture } from './find/picture-texts.ts'
import { type ScannedSecret, scanTexts } from './find/scan-texts.ts'
import { type Exchanges, type CassetteText, textsOfCassette } from './texts-of-cassette.ts'
import { knownInEnvironment } from './known-values.ts'

/** Something in a cassette that looks like a credential. */
export interface FoundSecret {
  /** A JSON pointer into the cassette file. */
  pointer: string
  /** The rule that found it: `anthropic`, `github`, `named-credential`, … */
  rule: string
  /** Its first characters and its length. */
  masked: string
}

export interface FoundSecrets {
  /** The first secrets. */
  secrets: FoundSecret[]
  /** The number of further secrets. */
  more: number
}

/** A person reads no more of one cassette, and each new secret is compared with all that are kept. */
const MAX_KEPT = 50

/** The rule that finds what the redactor could not replace: a known value in a spelling that only the scan reads. */
const KNOWN = 'value-of-your-environment'

/**
 * Scans a cassette file for credentials: every text and key, streamed texts as a whole, the texts in the metadata of
 * pictures, with escapes and encodings undone. Reports each credential once for each exchange, at its first place; a credential that is split over several
 * texts, only at its first place in the cassette.
 *
 * @param exchanges the decoded exchanges of the same cassette
 * @param env variables whose credentials must not be left in it either
 */
export async function findSecrets(
  stored: Exchanges,
  exchanges: readonly Exchange[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<FoundSecrets> {
  const texts = [
    ...textsOfCassette(stored),
    ...textsOfPictures(stored, exchanges),
    ...textsInBytes(exchanges),
  ]
  // Exchanges repeat most of their texts, so each text is scanned once.
  const places = Map.groupBy(texts.keys(), (index) => texts[index]!.text)
  const readings: string[] = []
  const placesOf: number[][] = []
  for (const [text, at] of places) {
    for (const reading of readingsOf(text)) {
      readings.push(reading)
      placesOf.push(at)
    }
  }
  const found = [...(await scanTexts(readings)), ...findLeft(readings, env)]
    .flatMap(({ text, ...hit }) => placesOf[text]!.map((place) => ({ place, ...hit })))
    .sort((one, other) => one.place - other.place)
  const kept: Array<FoundSecret & { exchange: string; secret: string }> = []
  const seen = new Set<string>()
  let more = 0
  for (const { place, rule, secret } of found) {
    const { pointer } = texts[place]!
    const exchange = pointer.split('/', 3)[2]!
    const key = `${exchange} ${secret}`
    if (seen.has(key)) continue
    seen.add(key)
    if (kept.some((other) => other.exchange === exchange && overlaps(other.secret, secret)))
      continue
    if (kept.length === MAX_KEPT) more++
    else kept.push({ pointer, rule, masked: maskSecret(secret), exchange, secret })
  }
  for (const { pointer, rule, secret } of findSplit(exchanges)) {
    if (kept.some((other) => overlaps(other.secret, secret))) continue
    if (kept.length === MAX_KEPT) more++
    else kept.push({ pointer, rule, masked: maskSecret(secret), exchange: '', secret })
  }
  return { secrets: kept.map(({ pointer, rule, masked }) => ({ pointer, rule, masked })), more }
}

/** The texts in lists of bytes, which are numbers and no texts. */
function textsInBytes(exchanges: readonly Exchange[]): CassetteText[] {
  return bodiesOf(exchanges).flatMap(({ pointer, body }) =>
    Array.from(bytesIn(body).values(), (lists) => ({
      pointer,
      text: textsIn(Buffer.from(lists.join(''), 'latin1')),
    })),
  )
}

function bodiesOf(exchanges: readonly Exchange[]): Array<{ pointer: string; body: Body }> {
  return exchanges.flatMap(({ wire }, index) =>
    [
      { pointer: `/exchanges/${index}${REQUEST_BODY}`, body: wire?.request.body },
      { pointer: `/exchanges/${index}${ANSWER_BODY}`, body: wire?.response?.body },
    ].filter((one): one is { pointer: string; body: Body } => one.body !== undefined),
  )
}

/** The values of the environment that are left in a reading. */
function findLeft(
  readings: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ScannedSecret[] {
  const known = findSqueezed(knownInEnvironment(env))
  const findIn = (reading: string) => (known.mayHold(reading) ? known.find(reading) : [])
  return readings.flatMap((reading, text) =>
    findIn(reading).map(({ start, end }) => ({
      text,
      rule: KNOWN,
      secret: reading.slice(start, end),
    })),
  )
}

/** Two rules can find one credential, one of them a longer part of it. */
function overlaps(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one)
}

/** A secret as it may be shown: enough to recognise it, too little to use it. */
function maskSecret(secret: string): string {
  const shown = Math.min(6, Math.floor(secret.length / 5))
  return `${secret.slice(0, shown).replaceAll(/\s/g, ' ')}… (${secret.length} characters)`
}

/** A credential of which each text has only a part. */
interface SplitSecret {
  /** A JSON pointer to the body in which it stands. */
  pointer: string
  rule: string
  secret: string
}

/** No credential with the mark of an issuer is longer. */
const MAX_LENGTH = 2_048

/** The numbers of adjacent texts that are also read as one, without the texts beside them. */
const WIDTHS = [2, 3]

/**
 * Finds credentials with the mark of an issuer in texts that are read as one: blocks, parts, messages, lists. A
 * credential of any other kind could be two ordinary texts that stand side by side.
 */
export function findSplit(exchanges: readonly Exchange[]): SplitSecret[] {
  return bodiesOf(exchanges).flatMap(({ pointer, body }) =>
    splitIn(body).map((hit) => ({ pointer, ...hit })),
  )
}

function splitIn(body: Body): Array<Omit<SplitSecret, 'pointer'>> {
  const found: Array<Omit<SplitSecret, 'pointer'>> = []
  replaceTexts(
    body,
    () => [],
    (texts) => {
      found.push(...acrossBorders(texts))
      for (const width of WIDTHS)
        for (let first = 0; first + width < texts.length; first++)
          found.push(...acrossBorders(texts.slice(first, first + width)))
      return []
    },
  )
  return found
}

/** The credentials that begin in one of these texts and end in another. */
function acrossBorders(texts: readonly string[]): Array<Omit<SplitSecret, 'pointer'>> {
  const near = texts.map((text) => nearBorders(text, MAX_LENGTH))
  const borders = bordersOf(near)
  return findIssued(near.join('')).flatMap(({ at, rule, secret }) =>
    borders.some((border) => at < border && border < at + secret.length) ? [{ rule, secret }] : [],
  )
}

function bordersOf(texts: readonly string[]): number[] {
  let end = 0
  return texts.slice(0, -1).map(({ length }) => (end += length))
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

/**
 * The texts in the files of a cassette, such as those in the metadata of its pictures, each at the first place of its file
 * in an exchange.
 *
 * @param exchanges the decoded exchanges of the same cassette
 */
function textsOfPictures(
  stored: Pick<StoredCassette, 'exchanges'>,
  exchanges: readonly Exchange[],
): Array<{ pointer: string; text: string }> {
  const places = stored.exchanges.flatMap((exchange, index) => [
    ...placesIn(exchange as unknown as JsonValue, `/exchanges/${index}`),
  ])
  if (places.length === 0) return []
  const { blobs } = encodeExchanges(exchanges)
  const read = new Map<string, string>()
  return places.flatMap(([name, pointer]) => {
    const bytes = blobs.get(name)
    if (!read.has(name)) read.set(name, bytes ? textsOfFile(bytes) : '')
    const text = read.get(name)!
    return text === '' ? [] : [{ pointer, text }]
  })
}

function textsOfFile(bytes: Buffer): string {
  return [textsOfPicture(bytes), textsIn(bytes)].filter(Boolean).join('\n')
}

/** The names of the files below a value, with the first place of each. */
function placesIn(value: JsonValue, place: string): Map<string, string> {
  const places = new Map<string, string>()
  const visit = (one: JsonValue, pointer: string): void => {
    if (Array.isArray(one))
      for (const [index, item] of one.entries()) visit(item, below(pointer, String(index)))
    else if (isJsonObject(one)) {
      const { $blob: name } = one
      if (typeof name === 'string' && !places.has(name)) places.set(name, pointer)
      for (const [key, child] of Object.entries(one))
        if (child !== undefined) visit(child, below(pointer, key))
    }
  }
  visit(value, place)
  return places
}
