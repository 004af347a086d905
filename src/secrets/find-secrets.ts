import type { Exchange } from '../cassette/cassette.ts'
import { textsOfJson } from '../json/walk.ts'
import { nearBorders } from '../json/read-as-one.ts'
import { rememberFor } from '../remember.ts'
import type { Body } from '../wire/body.ts'
import { findIssued, type SecretHit, visitMarks } from './find-likely.ts'
import { readingsOf, scanText } from './find/scan-text.ts'
import { findSqueezed } from './find/squeezed.ts'
import { knownInEnvironment, type KnownValue } from './known-values.ts'
import {
  type Exchanges,
  textsOfBody,
  textsOfCassette,
  textsOfExchanges,
} from './texts-of-cassette.ts'

export { variablesSent } from './find/sent-keys.ts'

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

/** Finds credentials in a text as it stands. */
type FindIn = (text: string) => Array<Pick<SecretHit, 'rule' | 'secret'>>

/** A person reads no more of one cassette, and each new secret is compared with all that are kept. */
const MAX_KEPT = 50

/** The rule that finds what the redactor could not replace: a known value in a spelling that only the scan reads. */
const KNOWN = 'value-of-your-environment'

/**
 * Scans a cassette file for credentials: every text and key, streamed texts as a whole, the texts in the metadata of
 * pictures, with escapes and encodings undone. Reports each credential once for each exchange, at its first place; a
 * credential that is split over several texts, only at its first place in the cassette.
 *
 * @param exchanges the decoded exchanges of the same cassette
 * @param env variables whose credentials must not be left in it either
 */
export function findSecrets(
  stored: Exchanges,
  exchanges: readonly Exchange[],
  env: Readonly<Record<string, string | undefined>> = {},
): FoundSecrets {
  const { kept, more } = findAll(stored, exchanges, env)
  return { secrets: kept.map(({ pointer, rule, masked }) => ({ pointer, rule, masked })), more }
}

/** The texts of what {@link findSecrets} reports, to replace them. They are shown to nobody. */
export function secretTexts(stored: Exchanges, exchanges: readonly Exchange[]): string[] {
  return [...new Set(findAll(stored, exchanges, {}).kept.map(({ secret }) => secret))]
}

function findAll(
  stored: Exchanges,
  exchanges: readonly Exchange[],
  env: Readonly<Record<string, string | undefined>>,
): { kept: Array<FoundSecret & { exchange: string; secret: string }>; more: number } {
  const finders = findersFor(env)
  const { texts, split } = textsOfCassette(stored, exchanges)
  const kept: Array<FoundSecret & { exchange: string; secret: string }> = []
  const seen = new Set<string>()
  let more = 0
  // Exchanges repeat most of their texts, so each text is scanned once.
  const found = new Map<string, ReturnType<FindIn>>()
  for (const { text } of texts) {
    const hits = clean.has(text) ? [] : hitsIn(text, finders)
    if (hits.length > 0) found.set(text, hits)
  }
  for (const { text, pointer } of found.size > 0 ? textsOfExchanges(stored, exchanges) : []) {
    const exchange = pointer.split('/', 3)[2]!
    for (const { rule, secret } of found.get(text) ?? []) {
      const key = `${exchange} ${secret}`
      if (seen.has(key)) continue
      seen.add(key)
      keep(pointer, rule, secret, exchange)
    }
  }
  const findKnown = finders.at(-1)!
  for (const one of split) {
    const near = one.texts.map((text) => nearBorders(text, MAX_LENGTH)).join('')
    for (const { rule, secret } of [...findSplit(one.texts), ...findKnown(near)])
      keep(one.pointer, rule, secret)
  }
  return { kept, more }

  /** Keeps a secret, unless one of that exchange, or of any, is a longer part of it, or the other way round. */
  function keep(pointer: string, rule: string, secret: string, exchange?: string): void {
    const isKnown = kept.some(
      (other) =>
        (exchange === undefined || other.exchange === exchange) &&
        (other.secret.includes(secret) || secret.includes(other.secret)),
    )
    if (isKnown) return
    if (kept.length === MAX_KEPT) more++
    else kept.push({ pointer, rule, masked: maskSecret(secret), exchange: exchange ?? '', secret })
  }
}

/** Texts that were scanned early, and in which nothing was found; all by the same values of the environment. */
const clean = new Set<string>()
let values: readonly KnownValue[] = []
let characters = 0

/** The most characters of such texts that are remembered. */
const MOST_CLEAN = 16_000_000

/** Scans what a body says, so that {@link findSecrets} need not. What it finds, that finds again. */
export function scanAhead(
  body: Body,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const finders = findersFor(env)
  const texts = body.kind === 'json' ? textsOfJson(body.value) : textsOfBody(body).wholes
  for (const text of texts) {
    if (clean.has(text) || hitsIn(text, finders).length > 0) continue
    if ((characters += text.length) > MOST_CLEAN) forget()
    clean.add(text)
  }
  textsOfBody(body)
}

function forget(): void {
  clean.clear()
  characters = 0
}

function hitsIn(text: string, finders: readonly FindIn[]): ReturnType<FindIn> {
  return readingsOf(text).flatMap((reading) => finders.flatMap((find) => find(reading)))
}

function findersFor(env: Readonly<Record<string, string | undefined>>): [FindIn, FindIn] {
  const known = knownInEnvironment(env)
  const isSame =
    known.length === values.length && known.every(({ value }, at) => value === values[at]!.value)
  if (!isSame) forget()
  if (!isSame) values = known
  return [scanText, findLeft(values)]
}

/** Finds the values of the environment that are left. */
const findLeft = rememberFor((left: readonly KnownValue[]): FindIn => {
  const known = findSqueezed(left)
  return (text) => {
    if (!known.mayHold(text)) return []
    return known
      .find(text)
      .map(({ start, end }) => ({ rule: KNOWN, secret: text.slice(start, end) }))
  }
})

/** A secret as it may be shown: enough to recognise it, too little to use it. */
function maskSecret(secret: string): string {
  const shown = Math.min(6, Math.floor(secret.length / 5))
  return `${secret.slice(0, shown).replaceAll(/\s/g, ' ')}… (${secret.length} characters)`
}

/** No credential with the mark of an issuer is longer. */
const MAX_LENGTH = 2_048

/** The numbers of adjacent texts that are also read as one, without the texts beside them. */
const WIDTHS = [2, 3]

/**
 * Finds credentials with the mark of an issuer that begin in one text and end in another of those that are read as one:
 * blocks, parts, messages, lists. A credential of any other kind could be two ordinary texts that stand side by side.
 */
export function findSplit(texts: readonly string[]): SecretHit[] {
  const near = texts.map((text) => withoutInside(nearBorders(text, MAX_LENGTH)))
  const starts: number[] = []
  let length = 0
  for (const text of near) {
    starts.push(length)
    length += text.length
  }
  const marked = new Set<number>()
  let last = 0
  const visit = (at: number): undefined => {
    while (last + 1 < starts.length && starts[last + 1]! <= at) last++
    for (const first of [last - 2, last - 1, last]) marked.add(first)
  }
  visitMarks(near.join(''), visit, new Set(starts))
  if (marked.size === 0) return []
  const windows = WIDTHS.flatMap((width) =>
    [...marked]
      .filter((first) => first >= 0 && first + width <= near.length)
      .map((first) => near.slice(first, first + width)),
  )
  return [near, ...windows].flatMap(acrossBorders)
}

/**
 * A text without what stands between its first and its last space: no credential holds one, so none that crosses a
 * border reaches that far. Keeps a character after the first, at which a rule can look.
 */
function withoutInside(text: string): string {
  const first = SPACES.reduce((end, space) => {
    const at = text.indexOf(space)
    return at < 0 ? end : Math.min(end, at)
  }, text.length)
  const last = Math.max(...SPACES.map((space) => text.lastIndexOf(space)))
  return first + 2 < last ? text.slice(0, first + 2) + text.slice(last) : text
}

const SPACES = [' ', '\n']

/** The credentials that begin in one of these texts and end in another. */
function acrossBorders(texts: readonly string[]): SecretHit[] {
  let end = 0
  const borders = texts.slice(0, -1).map((text) => (end += text.length))
  return findIssued(texts.join('')).filter(({ at, secret }) =>
    borders.some((border) => at < border && border < at + secret.length),
  )
}
