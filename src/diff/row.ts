import stringWidth from 'fast-string-width'
import type { createColors } from 'picocolors'
import { breakCommands, writeOutUnseen } from '../text/printable.ts'

/** One line of a rendered diff, before colours. */
export interface Row {
  kind: 'fold' | 'heading' | 'removed' | 'added' | 'context' | 'note'
  spans: Span[]
  /** True for the second and further rows of one long line. */
  continued?: boolean
}

/** A stretch of a row; `marked` if it is a changed part of a line. */
export interface Span {
  text: string
  marked?: boolean
}

/** The room for a change on the screen. */
export interface Room {
  /** Columns of text in a row. */
  width: number
  /** `Infinity` leaves nothing out, of long lines neither. */
  rows: number
  /** Sets changed words in `[-…-]` and `{+…+}`, for want of colours. */
  brackets: boolean
}

/** One character, or the characters that make one emoji, which no row may part. */
const CLUSTERS =
  /\p{ExtPict}[\p{EMod}\ufe0f]{0,2}(?:\u200d\p{ExtPict}[\p{EMod}\ufe0f]{0,2}){0,3}|\p{RGI_Emoji_Tag_Sequence}|[^]/gv

/** Characters that no terminal shows. `fast-string-width` counts a column for them where they join no emoji. */
const INVISIBLE = /[\p{Cf}--\u200d]/gv

/** The text of a row. */
export function textOfSpans(spans: Span[]): string {
  return spans.map((span) => span.text).join('')
}

/** Breaks a line into at most `maxRows` rows of at most `width` columns; `…` stands for what is cut. */
export function wrapSpans(spans: Span[], width: number, maxRows: number): Span[][] {
  // Reads no more cells than fit.
  const cells = readCells(spans, width * maxRows + 1)
  const rows: Cell[][] = []
  let from = 0
  while (from < cells.length && rows.length < maxRows) {
    const to = endOfRow(cells, from, width)
    const row = cells.slice(from, to)
    // The space at which a line breaks is dropped from the end of the row.
    if (to < cells.length && row.at(-1)!.character === ' ') row.pop()
    rows.push(row)
    from = to
  }
  if (from < cells.length) cutLast(rows, width)
  return rows.length === 0 ? [[]] : rows.map(joinCells)
}

interface Cell {
  character: string
  width: number
  marked: boolean
}

function readCells(spans: Span[], limit: number): Cell[] {
  const cells: Cell[] = []
  let used = 0
  for (const { text, marked = false } of spans) {
    for (const [character] of text.matchAll(CLUSTERS)) {
      const width = visibleWidth(character)
      cells.push({ character, width, marked })
      used += width
      // Counts characters as well: some take no column.
      if (used > limit || cells.length > limit * 4) return cells
    }
  }
  return cells
}

/** The end of a row: after its last space, if that leaves it mostly full. */
function endOfRow(cells: Cell[], from: number, width: number): number {
  let [to, used] = [from, 0]
  while (to < cells.length && used + cells[to]!.width <= width) used += cells[to++]!.width
  // A character wider than the row must still end up somewhere.
  if (to === from) return from + 1
  if (to === cells.length) return to
  for (let at = to; at > from + (to - from) * 0.7; at--) {
    if (cells[at - 1]!.character === ' ') return at
  }
  return to
}

function cutLast(rows: Cell[][], width: number): void {
  const last = rows.at(-1)!
  const columns = (): number => last.reduce((sum, cell) => sum + cell.width, 0)
  while (last.length > 0 && columns() > width - 1) last.pop()
  last.push({ character: '…', width: 1, marked: false })
}

function joinCells(cells: Cell[]): Span[] {
  const spans: Span[] = []
  for (const { character, marked } of cells) {
    const last = spans.at(-1)
    if (last && last.marked === marked) last.text += character
    else spans.push({ text: character, marked })
  }
  return spans
}

/** The columns that a text without line breaks takes in a terminal. */
export function visibleWidth(text: string): number {
  return stringWidth(text.replaceAll(INVISIBLE, ''))
}

type Colors = ReturnType<typeof createColors>

const PREFIXES: Record<Row['kind'], string> = {
  fold: '  ',
  heading: '  ',
  removed: '    - ',
  added: '    + ',
  context: '      ',
  note: '      ',
}

/** Columns that every row takes before its text. */
export const PREFIX_WIDTH = 8

/** A row as one line of text. Except for our own colours, nothing in it acts on a terminal or a CI runner. */
export function paintRow(row: Row, width: number, colors: Colors): string {
  const prefix = PREFIXES[row.kind] + (row.continued ? '  ' : '')
  const spans = wrapSpans(row.spans, width - prefix.length, 1)[0]!
  if (textOfSpans(spans) === '') return prefix.trimEnd()
  // Made harmless as a whole: a command could stand across two spans.
  const safe = breakAlike([{ text: prefix }, ...spans])
  const line = safe.map((span) => (span.marked ? colors.inverse(span.text) : span.text)).join('')
  if (row.kind === 'removed') return colors.red(line)
  if (row.kind === 'added') return colors.green(line)
  return row.kind === 'heading' ? colors.bold(line) : colors.dim(line)
}

function breakAlike(spans: Span[]): Span[] {
  // A row can end inside of an emoji, and the rest of it can be invisible.
  const texts = spans.map(({ text }) => writeOutUnseen(text))
  const safe = breakCommands(texts.join(''))
  let at = 0
  return spans.map((span, index) => {
    const from = at
    for (const unit of texts[index]!.split('')) at = safe.indexOf(unit, at) + 1
    return { ...span, text: safe.slice(from, at) }
  })
}
