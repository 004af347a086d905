import { alignSequences } from '../compare/align.ts'
import { commonEnd, commonStart } from '../compare/common-ends.ts'

/** A stretch of two texts: their common text, or the text before and after. */
export type Segment = { same: true; text: string } | Replacement

interface Replacement {
  same: false
  removed: string
  added: string
}

/** One emoji, one word, one character of a script without spaces, or any other character. */
const TOKENS =
  /\p{RGI_Emoji}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[[\p{L}\p{N}\p{M}_\u200c\u200d]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]+|[^]/gv

/** Longer texts are compared only by their common beginning and end. */
const MAX_LENGTH = 500_000

/** Longer words are compared character by character at both ends. */
const LONG_WORD = 32

/** Short texts that share less than this are shown as replaced: marks everywhere mark nothing. */
const MIN_SHARED = 0.25
const SHORT_TEXT = 2_000

/** Compares two texts word by word. */
export function segmentWords(removed: string, added: string): Segment[] {
  const longest = Math.max(removed.length, added.length)
  const words = longest > MAX_LENGTH ? [apart(removed, added)] : alignWords(removed, added)
  const segments = absorbCrumbs(words).flatMap(splitAffixes)
  const isReplaced = longest < SHORT_TEXT && sharedPart(segments, removed, added) < MIN_SHARED
  return isReplaced ? [apart(removed, added)] : segments
}

function alignWords(removed: string, added: string): Segment[] {
  const [old, current] = [removed.match(TOKENS) ?? [], added.match(TOKENS) ?? []]
  return alignSequences(old, current).map((stretch) => {
    const before = old.slice(...stretch.recorded).join('')
    if (stretch.same) return { same: true, text: before }
    return apart(before, current.slice(...stretch.received).join(''))
  })
}

/** Blanks and signs between two replaced words belong to the replacement. */
function absorbCrumbs(segments: Segment[]): Segment[] {
  const merged: Segment[] = []
  for (const [index, segment] of segments.entries()) {
    const [last, next] = [merged.at(-1), segments[index + 1]]
    if (segment.same && isCrumb(segment.text) && last && next && isReplacement(last, next)) {
      last.removed += segment.text
      last.added += segment.text
    } else if (!segment.same && last && !last.same) {
      last.removed += segment.removed
      last.added += segment.added
    } else merged.push(segment)
  }
  return merged
}

function isCrumb(text: string): boolean {
  return text.length < 4 && !/[\p{L}\p{N}\n]/u.test(text)
}

/** True if two changes and the text between them make one change with both sides. */
function isReplacement(last: Segment, next: Segment): last is Replacement {
  if (last.same || next.same) return false
  return last.removed + next.removed !== '' && last.added + next.added !== ''
}

/** Splits a long word, such as base64 or an address, so that only its changed middle is marked. */
function splitAffixes(segment: Segment): Segment[] {
  if (segment.same) return [segment]
  const { removed, added } = segment
  if (Math.min(removed.length, added.length) < LONG_WORD) return [segment]

  const start = snap(
    commonStart(removed, added),
    (at) => placeInside(removed, at) || placeInside(added, at),
  )
  const end = snap(
    commonEnd(removed, added, start),
    (at) => placeInside(removed, removed.length - at) || placeInside(added, added.length - at),
  )
  if (start + end < LONG_WORD / 2) return [segment]

  const before = removed.slice(0, start)
  const after = removed.slice(removed.length - end)
  const middle = apart(
    removed.slice(start, removed.length - end),
    added.slice(start, added.length - end),
  )
  const split: Segment[] = [{ same: true, text: before }, middle, { same: true, text: after }]
  return split.filter((part) => !part.same || part.text !== '')
}

/** Shortens a shared beginning or end until it parts no word, or at least no character. */
function snap(length: number, insideAt: (at: number) => Inside): number {
  let snapped = length
  while (snapped > 0 && length - snapped < LONG_WORD && insideAt(snapped)) snapped--
  if (length - snapped < LONG_WORD) return snapped
  snapped = length
  while (snapped > 0 && insideAt(snapped) === 'character') snapped--
  return snapped
}

type Inside = 'word' | 'character' | false

function placeInside(text: string, at: number): Inside {
  if (at >= text.length) return false
  if (/[\udc00-\udfff]/.test(text[at]!) || /\p{M}|\p{DI}/u.test(text[at]!)) return 'character'
  return /[\p{L}\p{N}_]{2}/u.test(text.slice(at - 1, at + 1)) && 'word'
}

function sharedPart(segments: Segment[], removed: string, added: string): number {
  let shared = 0
  for (const segment of segments) if (segment.same) shared += segment.text.length
  return shared / Math.max(1, Math.min(removed.length, added.length))
}

function apart(removed: string, added: string): Replacement {
  return { same: false, removed, added }
}
