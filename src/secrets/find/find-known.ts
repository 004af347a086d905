import {
  type FindSpans,
  isApart,
  placesOf,
  replaceSpans,
  type TextSpan,
} from '../../json/text-span.ts'
import type { KnownValue } from '../known-values.ts'
import { placeholderOf, restOf } from '../placeholder.ts'
import { mayHoldBytes, printedBytes } from './byte-lists.ts'
import { escapesIn, placesBefore } from './escapes.ts'
import { encodedRuns, endOfRun, mayHoldPacked, plainReadings, runAround } from './encoded-runs.ts'
import { isRandom } from './is-random.ts'
import { picturesWithTexts, withoutMetadata } from './picture-texts.ts'
import { coresOf, spellingsOf } from './spellings.ts'

/** Escapes of letters and digits, which hide a trace. */
const ESCAPED = /\\(?:u00|u\{0{0,4}|x)[3-7]|%(?:25)*[3-7]|&#/

/** Finds known values in a text. */
export interface KnownFinder {
  /** A cheap check: if it is false, `find` finds nothing. */
  mayHold(text: string): boolean
  find: FindSpans
}

/** A piece of a text that holds another text, and its spelling with that text replaced. */
interface Wrapped {
  start: number
  end: number
  inside: string
  /** @param placeholder the first of those in `replaced` */
  spell(replaced: string, placeholder: string): string
}

/**
 * Finds values in every spelling: as they are, in JSON at any depth, in URLs, inside of base64, in the metadata of
 * pictures, in lists of bytes, compressed; random ones also in other cases, in pieces, and encoded twice.
 */
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
  // As it is, and as it is once its own escapes are undone.
  const plain = known.flatMap(({ name, value }) =>
    [...new Set([value, replaceSpans(value, escapesIn(value))])].map((text) => ({ name, text })),
  )
  const encoded = new RegExp(cores.map(({ pattern }) => `(${pattern})`).join('|'), 'g')
  const squeezed = findSqueezed(known)
  const traces = spellings.flatMap((spelling) => spelling.traces)
  const holdsTrace = holdsAnyOf(traces)
  const holdsAny = holdsAnyOf(traces, squeezed.needles)
  const mayBePacked = (text: string): boolean => squeezed.needles.length > 0 && mayHoldPacked(text)
  const mayHoldText = (text: string): boolean =>
    isHiding(text) || holdsAny(text) || mayBePacked(text)
  const mayHold = (text: string): boolean =>
    mayHoldText(text) ||
    mayHoldBytes(text) ||
    picturesWithTexts(text).some(({ texts }) => mayHoldText(texts))

  function find(text: string): TextSpan[] {
    const found = [...picturesIn(text), ...printedIn(text)].flatMap(findWrapped)
    if (isHiding(text) || holdsTrace(text)) add([...findPlain(text), ...findEscaped(text)])
    if (squeezed.mayHold(text)) add(findHidden(text))
    if (mayBePacked(text)) add(packedIn(text).flatMap(findWrapped))
    return found

    function add(spans: readonly TextSpan[]): void {
      found.push(...spans.filter((one) => found.every((other) => isApart(one, other))))
    }
  }

  function findWrapped({ start, end, inside, spell }: Wrapped): TextSpan[] {
    const spans = find(inside)
    if (spans.length === 0) return []
    return [{ start, end, text: spell(replaceSpans(inside, spans), spans[0]!.text) }]
  }

  function findPlain(text: string): TextSpan[] {
    const found = plain.flatMap(({ name, text: value }) =>
      placesOf(value, text).map((place) => ({ ...place, text: placeholderOf(name) })),
    )
    return [...found, ...findEncoded(text)]
  }

  function findEscaped(text: string): TextSpan[] {
    const escapes = escapesIn(text)
    if (escapes.length === 0) return []
    const placeBefore = placesBefore(escapes)
    return find(replaceSpans(text, escapes)).map((span) => ({
      start: placeBefore(span.start, false),
      end: placeBefore(span.end, true),
      text: span.text,
    }))
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

  function findHidden(text: string): TextSpan[] {
    return squeezed.find(text).map(({ start, end, name, isEncoded }) => ({
      start,
      end,
      text: isEncoded ? encodedWithout(text.slice(start, end), name) : placeholderOf(name),
    }))
  }

  /** What stands for an encoded text with a value in it: the encoding of the rest depends on the value. */
  function encodedWithout(run: string, name: string): string {
    const placeholder = placeholderOf(name)
    for (const reading of plainReadings(run)) {
      const inside = find(reading)
      if (inside.length > 0) return withRest(placeholder, replaceSpans(reading, inside))
    }
    return placeholder
  }

  return { mayHold, find }
}

/** Pictures, each replaced as a whole: its parts have lengths and checksums. What it shows counts, and what it says. */
function picturesIn(text: string): Wrapped[] {
  return picturesWithTexts(text).map(({ start, texts }) => {
    const end = endOfRun(text, start)
    const spell = (replaced: string, placeholder: string): string => {
      const picture = withoutMetadata(Buffer.from(text.slice(start, end), 'base64'))
      // What is shorter can be a number beside a text, such as its length.
      const said = replaced.split('\n').filter(({ length }) => length >= 4)
      return placeholder + restOf(Buffer.concat([picture, Buffer.from(said.join('\n'))]))
    }
    return { start, end, inside: texts, spell }
  })
}

/** Lists of bytes, as a program prints them. */
function printedIn(text: string): Wrapped[] {
  return printedBytes(text).map(({ start, end, said, spell }) => ({
    start,
    end,
    inside: said,
    spell,
  }))
}

/** Compressed texts. */
function packedIn(text: string): Wrapped[] {
  return encodedRuns(text)
    .filter(({ encoding }) => encoding === 'compressed')
    .map(({ start, decoded }) => ({
      start,
      // The padding depends on the length of the value.
      end: endOfRun(text, start),
      inside: decoded,
      spell: (replaced, placeholder) => withRest(placeholder, replaced),
    }))
}

function withRest(placeholder: string, rest: string): string {
  return rest === placeholder ? placeholder : placeholder + restOf(rest)
}

function isHiding(text: string): boolean {
  return (
    (text.includes('\\u') || text.includes('\\x') || text.includes('%') || text.includes('&#')) &&
    ESCAPED.test(text)
  )
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
