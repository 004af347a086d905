import {
  type FindSpans,
  isApart,
  placesOf,
  replaceSpans,
  type TextSpan,
} from '../../json/text-span.ts'
import type { KnownValue } from '../known-values.ts'
import { placeholderOf, restOf } from '../placeholder.ts'
import { encodedRuns, endOfRun, mayHoldPacked, plainReadings, runAround } from './encoded-runs.ts'
import { isRandom } from './is-random.ts'
import { picturesWithTexts, withoutMetadata } from './picture-texts.ts'
import { coresOf, type Spellings, spellingsOf } from './spellings.ts'

/** Escapes of letters and digits, which hide a fingerprint. */
const ESCAPED = /\\(?:u00|u\{0{0,4}|x)[3-7]|%(?:25)*[3-7]|&#/

/** Finds known values in a text. */
export interface KnownFinder {
  /** A cheap check: if it is false, `find` finds nothing. */
  mayHold(text: string): boolean
  find: FindSpans
}

/** Finds values in every spelling: as they are, in JSON at any depth, in URLs, inside of base64. */
export function findKnown(values: readonly KnownValue[]): KnownFinder {
  // Of two names for one value the first counts; of two values the longer, which may hold the other.
  const known = [...new Map(values.toReversed().map((entry) => [entry.value, entry])).values()]
    .reverse()
    .toSorted((one, other) => other.value.length - one.value.length)
  if (known.length === 0) return { mayHold: () => false, find: () => [] }
  const spellings = known.map(({ value }) => spellingsOf(value))
  const cores = spellings.flatMap((spelling, index) =>
    spelling.cores.map((core) => ({ ...core, name: known[index]!.name })),
  )
  const plain = new RegExp(spellings.map(({ pattern }) => `(${pattern})`).join('|'), 'g')
  const encoded = new RegExp(cores.map(({ pattern }) => `(${pattern})`).join('|'), 'g')
  const holdsTrace = holdsAnyOf(spellings.flatMap(tracesOf))
  const hidden = findHidden(known)
  const mayHoldPlain = (text: string): boolean => isHiding(text) || holdsTrace(text)
  const mayHoldText = (text: string): boolean => mayHoldPlain(text) || hidden.mayHold(text)
  const mayHold = (text: string): boolean =>
    mayHoldText(text) || picturesWithTexts(text).some(({ texts }) => mayHoldText(texts))

  function find(text: string): TextSpan[] {
    const pictured = findInPictures(text)
    const isNew = (one: TextSpan): boolean => pictured.every((other) => isApart(one, other))
    const spelled = mayHoldPlain(text) ? findSpelled(text).filter(isNew) : []
    if (!hidden.mayHold(text)) return [...pictured, ...spelled]
    const known = [...pictured, ...spelled]
    const others = hidden.find(text, find)
    return [...known, ...others.filter((one) => known.every((other) => isApart(one, other)))]
  }

  /**
   * Replaces a picture with a value in its metadata as a whole: parts of pictures have lengths and checksums. What it
   * shows counts, and so do the texts beside the value.
   */
  function findInPictures(text: string): TextSpan[] {
    return picturesWithTexts(text).flatMap(({ start, texts }) => {
      const inside = mayHoldText(texts) ? find(texts) : []
      if (inside.length === 0) return []
      const end = endOfRun(text, start)
      const picture = withoutMetadata(Buffer.from(text.slice(start, end), 'base64'))
      const said = replaceSpans(texts, inside).split('\n').filter(isSaid).join('\n')
      const rest = Buffer.concat([picture, Buffer.from(said)])
      return { start, end, text: inside[0]!.text + restOf(rest) }
    })
  }

  function findSpelled(text: string): TextSpan[] {
    const found = Array.from(text.matchAll(plain), (match): TextSpan => {
      const { name } = known[groupOf(match)]!
      return { start: match.index, end: match.index + match[0].length, text: placeholderOf(name) }
    })
    return [...found, ...findEncoded(text)]
  }

  /** Encodes base64 anew from the group in which a value begins, because the text after the value moves. */
  function findEncoded(text: string): TextSpan[] {
    const found: TextSpan[] = []
    let end = 0
    for (const match of text.matchAll(encoded)) {
      const { skipped, name } = cores[groupOf(match)]!
      const start = Math.max(0, match.index - skipped)
      if (start < end) continue
      const run = text.slice(start, endOfRun(text, start))
      const replaced = replaceInBase64(run)
      if (replaced === undefined) {
        // The text before the value is no base64, so that nothing can be decoded.
        end = match.index + match[0].length
        found.push({ start: match.index, end, text: placeholderOf(name) })
      } else {
        end = start + run.length
        found.push({ start, end, text: replaced })
      }
    }
    return found
  }

  function replaceInBase64(run: string): string | undefined {
    const bytes = Buffer.from(run, 'base64')
    const utf8 = bytes.toString()
    const isText = Buffer.from(utf8).equals(bytes)
    const decoded = isText ? utf8 : bytes.toString('latin1')
    const replaced = replaceSpans(decoded, find(decoded))
    if (replaced === decoded) return undefined
    // Without padding and in one alphabet, so that the length of a value leaves no trace.
    return Buffer.from(replaced, isText ? 'utf8' : 'latin1')
      .toString('base64')
      .replace(/=+$/, '')
  }

  return { mayHold, find }
}

/** Texts of which at least one stands in every text that spells a value without escapes. */
function tracesOf({ fingerprint, cores }: Spellings): string[] {
  return [fingerprint, ...cores.map(({ pattern }) => longestOf(pattern.split(/\[..\]/)))]
}

function longestOf(texts: string[]): string {
  return texts.reduce((one, other) => (other.length > one.length ? other : one))
}

function isHiding(text: string): boolean {
  return (
    (text.includes('\\u') || text.includes('\\x') || text.includes('%') || text.includes('&#')) &&
    ESCAPED.test(text)
  )
}

/** Whether a line of metadata is a text: what is shorter can be a number beside it, such as its length. */
function isSaid(line: string): boolean {
  return line.length >= 4
}

function groupOf(match: RegExpExecArray): number {
  return match.findIndex((group, index) => index > 0 && group !== undefined) - 1
}

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

/** The most characters of a piece to compare: longer pieces are no rarer. */
const MAX_LENGTH = 12

/** The number of pairs of characters that the table tells apart. */
const PAIRS = 4_096

/**
 * Makes a test whether a text contains one of several pieces. Like Boyer and Moore for many pieces at once (Wu and
 * Manber): it looks at one pair of characters in a window, and moves on by as much as the pair allows.
 */
export function holdsAnyOf(pieces: readonly string[]): (text: string) => boolean {
  const width = Math.min(MAX_LENGTH, ...pieces.map(({ length }) => length))
  // The algorithm needs a pair of characters.
  if (width < 2) return (text) => pieces.some((piece) => text.includes(piece))
  const beginnings = new Set(pieces.map((piece) => piece.slice(0, width)))
  const steps = new Uint8Array(PAIRS).fill(width - 1)
  for (const beginning of beginnings) {
    for (let at = 1; at < width; at++) {
      const pair = pairAt(beginning, at)
      steps[pair] = Math.min(steps[pair]!, width - 1 - at)
    }
  }
  return (text) => {
    for (let at = width - 1; at < text.length;) {
      const step = steps[pairAt(text, at)]!
      if (step > 0) at += step
      else if (beginnings.has(text.slice(at + 1 - width, at + 1))) return true
      else at++
    }
    return false
  }
}

/** A number for the character at a place and the one before it. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) << 6) ^ text.charCodeAt(at)) & (PAIRS - 1)
}
