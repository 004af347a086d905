import stringWidth from 'fast-string-width'
import { escapeMarkdown } from '../../text/markdown-text.ts'
import { layOutLine } from '../../text/printable.ts'

/** A column of a table. */
export interface Column {
  title: string
  /** @default 'left' */
  align?: 'left' | 'right'
}

/** A column that takes its cells from rows of data. */
export interface ColumnOf<Row> extends Column {
  text: (row: Row) => string
}

/** The columns of a table of figures: the first has names. */
export function columnsOf(titles: readonly string[]): Column[] {
  return titles.map((title, index) => ({ title, align: index > 0 ? 'right' : 'left' }))
}

/** The lines of a table. The first column gets the width that the others leave. */
export function writeTable(columns: readonly Column[], rows: string[][], width: number): string[] {
  const cells = [columns.map(({ title }) => title), ...rows]
  const widths = columns.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, stringWidth(row[column]!)), 0),
  )
  const others = widths.slice(1).reduce((sum, width) => sum + width + 2, 0)
  widths[0] = Math.max(12, Math.min(widths[0]!, width - others))
  return cells.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column]!, columns[column]!.align ?? 'left'))
      .join('  ')
      .trimEnd(),
  )
}

/** The lines of a table of data, the heads first. */
export function tableOf<Row>(
  columns: ReadonlyArray<ColumnOf<Row>>,
  rows: readonly Row[],
  width: number,
): string[] {
  const cells = rows.map((row) => columns.map(({ text }) => layOutLine(text(row))))
  return writeTable(columns, cells, width)
}

export function markdownTable(columns: readonly Column[], rows: readonly string[][]): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`
  const lines = columns.map(({ align }) => (align === 'right' ? '--:|' : '---|'))
  return [row(columns.map(({ title }) => title)), `|${lines.join('')}`, ...rows.map(row)]
}

function pad(cell: string, width: number, align: 'left' | 'right'): string {
  const shown = shorten(cell, width)
  const space = ' '.repeat(Math.max(0, width - stringWidth(shown)))
  return align === 'right' ? space + shown : shown + space
}

/** Cuts the beginning of what is too long: the end of a title tells tests apart better. */
export function shorten(cell: string, width: number): string {
  if (stringWidth(cell) <= width) return cell
  const characters = [...cell]
  while (characters.length > 0 && stringWidth(characters.join('')) > width - 1) characters.shift()
  return `…${characters.join('')}`
}
