import { commonStart } from '../compare/common-ends.ts'
import { countOf } from './count-of.ts'
import { lineSpans, type Piece } from './line-spans.ts'
import { appearance, revealOddBlanks, revealPair } from './reveal.ts'
import { textOfSpans, wrapSpans, type Room, type Row } from './row.ts'
import { segmentWords } from './word-segments.ts'

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
