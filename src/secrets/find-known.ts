import { isApart, replaceSpans, type FindSpans, type TextSpan } from '../json/text-span.ts'
import { endOfRun } from './encoded-runs.ts'
import { findHidden } from './find-hidden.ts'
import { holdsAnyOf } from './holds-any-of.ts'
import type { KnownValue } from './known-values.ts'
import { picturesIn, withoutMetadata } from './pictures/picture-texts.ts'
import { placeholderOf, restOf } from './placeholder.ts'
import { spellingsOf, type Spellings } from './spellings.ts'

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
    mayHoldText(text) || picturesIn(text).some(({ texts }) => mayHoldText(texts))

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
    return picturesIn(text).flatMap(({ start, texts }) => {
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
