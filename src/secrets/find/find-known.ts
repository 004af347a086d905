import {
  type FindSpans,
  isApart,
  placesOf,
  replaceSpans,
  type TextSpan,
} from '../../json/text-span.ts'
import type { KnownValue } from '../known-values.ts'
import { placeholderOf } from '../../text/placeholder.ts'
import { restOf } from '../rules/rest-of.ts'
import { coresOf } from './base64-cores.ts'
import { mayHoldBytes, printedBytes } from './byte-lists.ts'
import { escapesIn, placesBefore } from './escapes.ts'
import { encodedRuns, endOfRun, mayHoldPacked, plainReadings } from './encoded-runs.ts'
import { picturesWithTexts, withoutMetadata } from './picture-texts.ts'
import { findSqueezed, holdsAnyOf } from './squeezed.ts'

/** Escapes of letters and digits, which hide a trace. */
const ESCAPED = /\\(?:u00|u\{0{0,4}|x)[3-7]|%(?:25)*[3-7]|&#/

/** The most letters and digits of a trace. */
const MAX_TRACE = 12

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
  // In base64 as it is, and as JSON spells it.
  const cores = known.flatMap(({ name, value }) =>
    [...new Set([value, JSON.stringify(value).slice(1, -1)])]
      .flatMap(coresOf)
      .map((core) => ({ ...core, name })),
  )
  // As it is, and as it is once its own escapes are undone.
  const plain = known.flatMap(({ name, value }) =>
    [...new Set([value, replaceSpans(value, escapesIn(value))])].map((text) => ({ name, text })),
  )
  const encoded = new RegExp(cores.map(({ pattern }) => `(${pattern})`).join('|'), 'g')
  const squeezed = findSqueezed(known)
  const traces = [...known.map(({ value }) => value), ...cores.map(({ text }) => text)].map(traceOf)
  const holdsTrace = holdsAnyOf(traces)
  const holdsAny = holdsAnyOf(traces, squeezed.needles)
  const mayBePacked = (text: string): boolean => squeezed.needles.length > 0 && mayHoldPacked(text)
  const mayHoldText = (text: string): boolean =>
    isHiding(text) || holdsAny(text) || mayBePacked(text)
  const mayHold = (text: string): boolean =>
    mayHoldText(text) ||
    mayHoldBytes(text) ||
    picturesWithTexts(text).some(({ texts }) => mayHold(texts))

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

/** Letters and digits of which some stand in every text that holds this one, unless they are escaped. */
function traceOf(text: string): string {
  const runs = text.match(/[A-Za-z0-9]+/g) ?? ['']
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one))
  return longest.slice(0, MAX_TRACE)
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
