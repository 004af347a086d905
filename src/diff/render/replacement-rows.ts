import { commonEnd, commonStart } from '../../text/common-ends.ts'
import { countOf } from '../../text/count-of.ts'
import { writeOutUnseen } from '../../text/printable.ts'
import { alignSequences } from '../align.ts'
import { appearance, revealOddBlanks, revealPair } from '../reveal.ts'
import { type Room, type Row, type Span, textOfSpans, wrapSpans } from '../row.ts'

/** In lines up to this long, the eye finds the change without brackets. */
const SHORT = 24

/** The rows of lines that were replaced by others, with the changed words marked. */
export function replacementRows(removed: string[], added: string[], room: Room): Row[] {
  if (removed.length === 0) return sideRows('added', added, room)
  if (added.length === 0) return sideRows('removed', removed, room)

  const [old, current] = [removed.join('\n'), added.join('\n')]
  const pieces = readPieces(old, current)
  const looksTheSame = isAlike(bothSides(...pieces, { ...room, brackets: false }))
  if (looksTheSame) return bothSides(...escapePieces(old, current), room)
  const isShort = Math.max(old.length, current.length) <= SHORT && removed.length === 1
  return bothSides(...pieces, { ...room, brackets: room.brackets && !isShort })
}

/** The rows of whole lines on one side. */
export function sideRows(kind: 'removed' | 'added', lines: string[], room: Room): Row[] {
  const readable = lines.slice(0, room.rows + 1).map((line) => {
    const text = revealOddBlanks(line.slice(0, room.width * room.rows + 1))
    return [{ text, changed: true, marked: false }]
  })
  return layOut(kind, readable, lines.length, room)
}

function readPieces(removed: string, added: string): [Piece[], Piece[]] {
  const segments = segmentWords(removed, added)
  const marked = segments.length > 1
  const sides: [Piece[], Piece[]] = [[], []]
  for (const segment of segments) {
    const texts = segment.same
      ? [segment.text, segment.text]
      : revealPair(segment.removed, segment.added)
    for (const [side, text] of texts.entries()) {
      sides[side]!.push({ text, changed: !segment.same, marked: marked && !segment.same })
    }
  }
  return sides
}

/** The surroundings of the first difference, spelled so that no two characters look the same. */
function escapePieces(removed: string, added: string): [Piece[], Piece[]] {
  const start = commonStart(removed, added)
  const from = Math.max(0, start - 20)
  return [removed, added].map((text) => {
    const near = JSON.stringify(text.slice(from, start + 20)).slice(1, -1)
    const escaped = near.replace(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    return [{ text: `${from > 0 ? '…' : ''}"${escaped}"`, changed: true, marked: false }]
  }) as [Piece[], Piece[]]
}

function bothSides(old: Piece[], current: Piece[], room: Room): Row[] {
  const [oldLines, newLines] = [splitLines(old), splitLines(current)]
  const half = Math.max(1, Math.floor(room.rows / 2))
  const rows = layOut('removed', oldLines, oldLines.length, { ...room, rows: half })
  const rest = { ...room, rows: Math.max(1, room.rows - rows.length) }
  return [...rows, ...layOut('added', newLines, newLines.length, rest)]
}

/** True when a reader could not tell the two sides apart. */
function isAlike(rows: Row[]): boolean {
  const [old, current] = (['removed', 'added'] as const).map((kind) => {
    const side = rows.filter((row) => row.kind === kind)
    return appearance(side.map((row) => textOfSpans(row.spans)).join('\n'))
  })
  return old === current
}

function splitLines(pieces: Piece[]): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const piece of pieces) {
    for (const [index, text] of piece.text.split('\n').entries()) {
      if (index > 0) lines.push([])
      lines.at(-1)!.push({ ...piece, text })
    }
  }
  return lines
}

/** Wraps lines into rows, the last of which counts the lines that did not fit. */
function layOut(kind: 'removed' | 'added', lines: Piece[][], count: number, room: Room): Row[] {
  const rows: Row[] = []
  for (const [index, line] of lines.entries()) {
    const isLast = index === count - 1
    const left = room.rows - rows.length - (isLast ? 0 : 1)
    if (left < 1 && index > 0) {
      const hidden = `… ${countOf(count - index, 'more line')}`
      if (rows.length < room.rows) rows.push({ kind, continued: true, spans: [{ text: hidden }] })
      return rows
    }
    const isNothing = count === 1 && isEmpty(line)
    const spans = isNothing ? [{ text: '(empty line)' }] : lineSpans(kind, line, room)
    const most = room.rows === Infinity ? Infinity : count === 1 ? 6 : 3
    const wrapped = wrapSpans(spans, room.width, Math.max(1, Math.min(left, most)))
    for (const [part, rowSpans] of wrapped.entries()) {
      rows.push(part === 0 ? { kind, spans: rowSpans } : { kind, spans: rowSpans, continued: true })
    }
  }
  return rows
}

function isEmpty(line: Piece[]): boolean {
  return line.every((piece) => piece.text === '')
}

/** A stretch of a line. `changed` stretches are `marked` if only a part of the line changed. */
interface Piece {
  /** Empty if only the other side has text here. */
  text: string
  changed: boolean
  marked: boolean
}

/** Characters of an unchanged stretch that stay beside a change. */
const CONTEXT = 36

/** A changed line as it is printed: control characters written out, long unchanged stretches elided. */
function lineSpans(kind: 'removed' | 'added', line: Piece[], room: Room): Span[] {
  const isShort = room.rows < Infinity
  const readable = line.map((piece, index) => {
    const isLast = line.slice(index + 1).every(({ text }) => text === '')
    const shown = piece.marked && isShort ? shortenMarked(piece.text, room) : piece.text
    const text = writeOutUnseen(shown)
    return { ...piece, text: piece.changed && isLast ? showTrailingSpaces(text) : text }
  })
  const length = readable.reduce((sum, piece) => sum + piece.text.length, 0)
  const fitted = isShort && length > room.width ? elideUnchanged(readable) : readable
  return fitted
    .filter(({ text }) => text !== '')
    .map(({ text, marked }) => ({
      text: marked && room.brackets ? bracket(kind, text) : text,
      marked,
    }))
}

function bracket(kind: 'removed' | 'added', text: string): string {
  return kind === 'removed' ? `[-${text}-]` : `{+${text}+}`
}

function showTrailingSpaces(text: string): string {
  return text.replace(/ +$/, (spaces) => '·'.repeat(spaces.length))
}

/** Shortens a long replacement to its beginning and end, so that the text after it stays visible. */
function shortenMarked(text: string, { width }: Room): string {
  const [head, tail] = [headOf(text, width * 2), tailOf(text, Math.floor(width / 2))]
  const hidden = text.length - head.length - tail.length
  if (hidden < width) return text
  return `${head.trimEnd()} … ${countOf(hidden, 'character')} … ${tail.trimStart()}`
}

function elideUnchanged(line: Piece[]): Piece[] {
  const first = line.findIndex((piece) => piece.changed)
  const last = line.findLastIndex((piece) => piece.changed)
  if (first === -1) return line
  return line.map((piece, index) => {
    if (piece.changed) return piece
    const head = index > first ? headOf(piece.text, CONTEXT) : ''
    const tail = index < last ? tailOf(piece.text, CONTEXT) : ''
    const isShort = head.length + tail.length + 3 >= piece.text.length
    return isShort ? piece : { ...piece, text: `${head}…${tail}` }
  })
}

/** The first words of a text, with the space behind them. */
function headOf(text: string, length: number): string {
  const space = text.lastIndexOf(' ', length)
  return text.slice(0, space > length / 2 ? space + 1 : length)
}

/** The last words of a text, with the space before them. */
function tailOf(text: string, length: number): string {
  const space = text.indexOf(' ', text.length - length)
  const isNear = space !== -1 && space < text.length - length / 2
  return text.slice(isNear ? space : Math.max(0, text.length - length))
}

/** A stretch of two texts: their common text, or the text before and after. */
type Segment = { same: true; text: string } | Replacement

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
function segmentWords(removed: string, added: string): Segment[] {
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
