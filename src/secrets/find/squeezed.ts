import { placesOf } from '../../json/text-span.ts'
import type { KnownValue } from '../known-values.ts'
import { coresOf } from './base64-cores.ts'
import { runAround } from './encoded-runs.ts'
import { isRandom } from './is-random.ts'

/** A value reduced to its letters and digits, in lower case. */
interface Needle {
  name: string
  squeezed: string
  /** True for an encoded value: then the whole encoded text around it is replaced. */
  isEncoded: boolean
}

/** The number of letters and digits in a window. With 6 bits for each, a window is one number. */
const WINDOW = 5
const MASK = 2 ** (6 * WINDOW) - 1

/** Masks the last three of a window, which are looked up in a table. */
const END = 2 ** 18 - 1

/** Fewer letters and digits occur in other texts by accident. */
const MIN_LENGTH = 12

const [BACKSLASH, LETTER_N, LETTER_R, LETTER_T] = [92, 110, 114, 116]

/** Letters and digits by code, without regard to case; 0 is anything else. */
const sixBits = new Uint8Array(128)
for (const [index, character] of Array.from('0123456789abcdefghijklmnopqrstuvwxyz').entries()) {
  sixBits[character.charCodeAt(0)] = index + 1
  sixBits[character.toUpperCase().charCodeAt(0)] = index + 1
}

/**
 * Finds random values in another spelling: in another case, in pieces, with invisible characters in between, in
 * hexadecimal digits, in base64 with line breaks or twice. Of an encoded one, it finds the whole encoded text.
 */
export function findSqueezed(known: readonly KnownValue[]): {
  needles: readonly Needle[]
  /** A cheap check: if it is false, `find` finds nothing. */
  mayHold(text: string): boolean
  find(text: string): Array<{ start: number; end: number; name: string; isEncoded: boolean }>
} {
  const needles = known.flatMap(needlesOf)
  return {
    needles,
    mayHold: holdsAnyOf([], needles),
    find(text) {
      const { squeezed, places } = squeeze(text)
      return needles.flatMap(({ name, squeezed: needle, isEncoded }) =>
        placesOf(needle, squeezed).map((place) => {
          const [start, end] = [places[place.start]!, places[place.end - 1]! + 1]
          const whole = isEncoded ? runAround(text, start, end) : { start, end }
          return { ...whole, name, isEncoded }
        }),
      )
    },
  }
}

/**
 * Makes a test whether a text contains one of several pieces as it is, or a needle in its letters and digits. It goes
 * through the text once, and looks up each window of letters.
 */
export function holdsAnyOf(
  pieces: readonly string[],
  needles: readonly Needle[] = [],
): (text: string) => boolean {
  const long = pieces.filter(({ length }) => length > WINDOW)
  const short = pieces.filter(({ length }) => length <= WINDOW)
  const ofPieces = Map.groupBy(long, (piece) => windowAt(piece, piece.length - WINDOW))
  // The middle, because the beginnings of credentials are words: `skpro`, `ghp`.
  const ofNeedles = new Set(
    needles.map(({ squeezed }) => windowAt(squeezed, Math.floor(squeezed.length / 2))),
  )
  const ends = new Uint8Array(END + 1)
  for (const window of [...ofPieces.keys(), ...ofNeedles]) ends[window & END] = 1

  return (text) => {
    if (short.some((piece) => text.includes(piece))) return true
    if (ofPieces.size + ofNeedles.size === 0) return false
    let window = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const bits = code < 128 ? sixBits[code]! : 0
      if (bits === 0 || isOfEscape(text, at)) continue
      window = ((window << 6) | bits) & MASK
      if (ends[window & END] === 0) continue
      if (ofNeedles.has(window)) return true
      if (ofPieces.get(window)?.some((piece) => text.endsWith(piece, at + 1))) return true
    }
    return false
  }
}

function needlesOf({ name, value }: KnownValue): Needle[] {
  if (!isRandom(value) || squeeze(value).squeezed.length < MIN_LENGTH) return []
  const encoded = [Buffer.from(value), utf16(value), utf16(value).swap16()].flatMap((bytes) => [
    bytes.toString('hex'),
    ...coresOf(bytes).map(({ text }) => text),
  ])
  const twice = coresOf(value).flatMap(({ text }) => coresOf(text).map((core) => core.text))
  return [
    { name, isEncoded: false, ...squeeze(value) },
    ...[...encoded, ...twice].map((text) => ({ name, isEncoded: true, ...squeeze(text) })),
  ]
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

/** The letters and digits of a text in lower case, and the position of each. */
function squeeze(text: string): { squeezed: string; places: number[] } {
  const characters: string[] = []
  const places: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 128 || sixBits[code] === 0 || isOfEscape(text, at)) continue
    characters.push(text[at]!)
    places.push(at)
  }
  return { squeezed: characters.join('').toLowerCase(), places }
}

/** Whether a letter is that of an escaped line break or tab, as JSON and programs spell it. */
function isOfEscape(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const isLetter = code === LETTER_N || code === LETTER_R || code === LETTER_T
  return isLetter && text.charCodeAt(at - 1) === BACKSLASH
}

function windowAt(letters: string, start: number): number {
  let window = 0
  for (let at = start; at < start + WINDOW; at++)
    window = (window << 6) | sixBits[letters.charCodeAt(at)]!
  return window & MASK
}
