import { countOf } from './count-of.ts'
import { writeOutUnseen } from './printable.ts'
import type { Room, Span } from './row.ts'

/** A stretch of a line. `changed` stretches are `marked` if only a part of the line changed. */
export interface Piece {
  /** Empty if only the other side has text here. */
  text: string
  changed: boolean
  marked: boolean
}

/** Characters of an unchanged stretch that stay beside a change. */
const CONTEXT = 36

/** A changed line as it is printed: control characters written out, long unchanged stretches elided. */
export function lineSpans(kind: 'removed' | 'added', line: Piece[], room: Room): Span[] {
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
