import { placesOf, type TextSpan } from '../json/text-span.ts'
import { encodedRuns, endOfRun, runAround } from './encoded-runs.ts'
import { isRandom } from './is-random.ts'
import type { KnownValue } from './known-values.ts'
import { placeholderOf } from './placeholder.ts'
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

/** The beginnings of data that gzip has compressed, in base64 and in hexadecimal digits. */
const COMPRESSED = ['H4sI', '1f8b08', '1F8B08']

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
  find(text: string, findInside: (text: string) => readonly TextSpan[]): TextSpan[]
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
      if (bits === 0) continue
      window = ((window << 6) | bits) & MASK
      if (ends[window & END] === 1 && windows.has(window)) return true
    }
    return false
  }

  function findNeedles(text: string): TextSpan[] {
    const { squeezed, places } = squeeze(text)
    return needles.flatMap(({ name, squeezed: needle, isEncoded }) =>
      placesOf(needle, squeezed).map((place) => {
        const [start, end] = [places[place.start]!, places[place.end - 1]! + 1]
        const span = isEncoded ? runAround(text, start, end) : { start, end }
        return { ...span, text: placeholderOf(name) }
      }),
    )
  }

  return {
    mayHold: (text) =>
      needles.length > 0 && (COMPRESSED.some((start) => text.includes(start)) || holdsNeedle(text)),
    find: (text, findInside) => {
      if (needles.length === 0) return []
      const found = holdsNeedle(text) ? findNeedles(text) : []
      if (!COMPRESSED.some((start) => text.includes(start))) return found
      const packed = encodedRuns(text).filter(({ encoding }) => encoding === 'compressed')
      return [
        ...found,
        ...packed.flatMap(({ start, decoded }) => {
          const [inside] = findInside(decoded)
          // The padding depends on the length of the value.
          return inside ? { start, end: endOfRun(text, start), text: inside.text } : []
        }),
      ]
    },
  }
}

function needlesOf({ name, value }: KnownValue): Needle[] {
  if (!isRandom(value) || squeeze(value).squeezed.length < MIN_LENGTH) return []
  const once = coresOf(value).map(({ text }) => text)
  const spelled = [
    { text: value, isEncoded: false },
    { text: Buffer.from(value).toString('hex'), isEncoded: true },
    ...[...once, ...once.flatMap((core) => coresOf(core).map(({ text }) => text))].map((text) => ({
      text,
      isEncoded: true,
    })),
  ]
  return spelled.map(({ text, isEncoded }) => ({ name, isEncoded, ...squeeze(text) }))
}

/** The letters and digits of a text in lower case, and the position of each. */
function squeeze(text: string): { squeezed: string; places: number[] } {
  const characters: string[] = []
  const places: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 128 || sixBits[code] === 0) continue
    characters.push(text[at]!)
    places.push(at)
  }
  return { squeezed: characters.join('').toLowerCase(), places }
}

function windowOf(squeezed: string): number {
  // Takes the middle, because the beginnings of credentials are words: `skpro`, `ghp`.
  const middle = Math.floor(squeezed.length / 2)
  let window = 0
  for (let at = middle; at < middle + WINDOW; at++)
    window = (window << 6) | sixBits[squeezed.charCodeAt(at)]!
  return window & MASK
}
