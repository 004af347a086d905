import type { Exchange } from '../cassette/format/cassette.ts'
import { ANSWER_BODY, REQUEST_BODY } from '../cassette/format/pointer.ts'
import { nearBorders } from '../json/read-as-one.ts'
import type { Body } from '../wire/body.ts'
import { replaceTexts } from '../wire/replace-texts.ts'
import { findIssued } from './find-issued.ts'

/** A credential of which each text has only a part. */
export interface SplitSecret {
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
  const found: SplitSecret[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const { request, response } = exchange.wire ?? {}
    for (const [place, body] of [
      [REQUEST_BODY, request?.body],
      [ANSWER_BODY, response?.body],
    ] as const)
      for (const hit of body ? splitIn(body) : [])
        found.push({ pointer: `/exchanges/${index}${place}`, ...hit })
  }
  return found
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
