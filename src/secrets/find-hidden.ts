import { placesOf, replaceSpans, type FindSpans, type TextSpan } from '../json/text-span.ts'
import { encodedRuns, endOfRun, mayHoldPacked, plainReadings, runAround } from './encoded-runs.ts'
import { isRandom } from './is-random.ts'
import type { KnownValue } from './known-values.ts'
import { placeholderOf, restOf } from './placeholder.ts'
import { coresOf } from './spellings.ts'

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
 * hexadecimal digits, in base64 with line breaks or twice, compressed.
 */
export function findHidden(known: readonly KnownValue[]): {
  mayHold(text: string): boolean
  find(text: string, findInside: FindSpans): TextSpan[]
} {
  const needles = known.flatMap(needlesOf)
  const windows = new Set(needles.map(({ squeezed }) => windowOf(squeezed)))
  const ends = new Uint8Array(END + 1)
  for (const window of windows) ends[window & END] = 1

  function holdsNeedle(text: string): boolean {
    let window = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const bits = code < 128 ? sixBits[code]! : 0
      if (bits === 0 || isOfEscape(text, at)) continue
      window = ((window << 6) | bits) & MASK
      if (ends[window & END] === 1 && windows.has(window)) return true
    }
    return false
  }

  function findNeedles(text: string, findInside: FindSpans): TextSpan[] {
    const { squeezed, places } = squeeze(text)
    return needles.flatMap(({ name, squeezed: needle, isEncoded }) =>
      placesOf(needle, squeezed).map((place) => {
        const [start, end] = [places[place.start]!, places[place.end - 1]! + 1]
        if (!isEncoded) return { start, end, text: placeholderOf(name) }
        const run = runAround(text, start, end)
        return { ...run, text: encodedWithout(text.slice(run.start, run.end), name, findInside) }
      }),
    )
  }

  return {
    mayHold: (text) => needles.length > 0 && (mayHoldPacked(text) || holdsNeedle(text)),
    find: (text, findInside) => {
      if (needles.length === 0) return []
      const found = holdsNeedle(text) ? findNeedles(text, findInside) : []
      if (!mayHoldPacked(text)) return found
      const packed = encodedRuns(text).filter(({ encoding }) => encoding === 'compressed')
      return [
        ...found,
        ...packed.flatMap(({ start, decoded }) => {
          const inside = findInside(decoded)
          if (inside.length === 0) return []
          // The padding depends on the length of the value.
          const end = endOfRun(text, start)
          return { start, end, text: withRest(inside[0]!.text, replaceSpans(decoded, inside)) }
        }),
      ]
    },
  }
}

/** What stands for an encoded text with a value in it: the encoding of the rest depends on the value. */
function encodedWithout(run: string, name: string, findInside: FindSpans): string {
  const placeholder = placeholderOf(name)
  for (const reading of plainReadings(run)) {
    const inside = findInside(reading)
    if (inside.length > 0) return withRest(placeholder, replaceSpans(reading, inside))
  }
  return placeholder
}

function withRest(placeholder: string, rest: string): string {
  return rest === placeholder ? placeholder : placeholder + restOf(rest)
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

function windowOf(squeezed: string): number {
  // Takes the middle, because the beginnings of credentials are words: `skpro`, `ghp`.
  const middle = Math.floor(squeezed.length / 2)
  let window = 0
  for (let at = middle; at < middle + WINDOW; at++)
    window = (window << 6) | sixBits[squeezed.charCodeAt(at)]!
  return window & MASK
}
