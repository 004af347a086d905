import type { Exchange } from '../cassette/format/cassette.ts'
import { ANSWER_BODY, REQUEST_BODY } from '../cassette/format/pointer.ts'
import { replaceBytes } from './byte-lists.ts'
import { findHidden } from './find-hidden.ts'
import { findSplit } from './find-split.ts'
import { knownInEnvironment } from './known-values.ts'
import { textsIn } from './pictures/picture-texts.ts'
import { textsOfPictures } from './pictures/pictures-of-cassette.ts'
import { readingsOf } from './readings.ts'
import { scanTexts, type ScannedSecret } from './scan-texts.ts'
import { textsOfCassette, type Exchanges, type PlacedText } from './texts-of-cassette.ts'

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
function textsInBytes(exchanges: readonly Exchange[]): PlacedText[] {
  return exchanges.flatMap(({ wire }, index) =>
    [
      [REQUEST_BODY, wire?.request.body] as const,
      [ANSWER_BODY, wire?.response?.body] as const,
    ].flatMap(([place, body]) => {
      const texts: PlacedText[] = []
      if (body)
        replaceBytes(body, (text) => {
          const pointer = `/exchanges/${index}${place}`
          texts.push({ pointer, text: textsIn(Buffer.from(text, 'latin1')) })
          return []
        })
      return texts
    }),
  )
}

/** The values of the environment that are left in a reading. */
function findLeft(
  readings: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ScannedSecret[] {
  const known = findHidden(knownInEnvironment(env))
  return readings.flatMap((reading, text) =>
    known
      .find(reading, () => [])
      .map(({ start, end }) => ({ text, rule: KNOWN, secret: reading.slice(start, end) })),
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
