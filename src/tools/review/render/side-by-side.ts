import { stripVTControlCharacters } from 'node:util'
import type { Colors } from 'picocolors/types.js'
import { paintRow, PREFIX_WIDTH, type Row, visibleWidth } from '../../../diff/row.ts'
import { contentRows } from '../../../diff/render-changes.ts'
import type { Change } from '../../../diff/change.ts'

/** In a narrower terminal, before and after are easier to read one below the other. */
const MIN_WIDTH = 100

/** Two rows beside each other. */
type Line = [left: Row | undefined, right: Row | undefined]

/**
 * Renders the content before and after a change side by side; `undefined` if the terminal is too narrow, or one side is
 * empty.
 */
export function renderBeside(
  { before, after }: Change,
  { width, rows, colors }: { width: number; rows: number; colors: Colors },
): string[] | undefined {
  if (!before || !after || width < MIN_WIDTH) return undefined
  const column = Math.floor((width - 1) / 2)
  const room = { width: column - PREFIX_WIDTH, rows, brackets: !colors.isColorSupported }
  const paint = (row: Row | undefined): string => (row ? paintRow(row, column, colors) : '')
  return linesOf(contentRows({ before, after }, room)).map(([left, right]) =>
    `${pad(paint(left), column)} ${paint(right)}`.trimEnd(),
  )
}

/** Puts each added row beside the removed row that it replaces, and each common row on both sides. */
function linesOf(rows: readonly Row[]): Line[] {
  const lines: Line[] = []
  let open = 0
  for (const row of rows) {
    const beside = row.kind === 'added' ? lines[open] : undefined
    if (beside) beside[1] = row
    else if (row.kind === 'added') lines.push([undefined, row])
    else lines.push([row, row.kind === 'removed' ? undefined : row])
    if (beside) open++
    else if (row.kind !== 'removed') open = lines.length
  }
  return lines
}

function pad(painted: string, width: number): string {
  const used = visibleWidth(stripVTControlCharacters(painted))
  return painted + ' '.repeat(Math.max(0, width - used))
}
