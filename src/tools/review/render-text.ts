import { stripVTControlCharacters } from 'node:util'
import type { Colors } from 'picocolors/types.js'
import type { Change } from '../../diff/change.ts'
import { contentRows, paintRows } from '../../diff/render-changes.ts'
import { paintRow, PREFIX_WIDTH, type Row, visibleWidth } from '../../diff/row.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import {
  describeCassettes,
  describeGroup,
  describeKept,
  type Group,
  nameOf,
  shownChanges,
} from './groups.ts'

export interface TextOptions {
  width: number
  colors: Colors
  /** Rows of one change. @default 20 */
  rows?: number
  /** Names of cassettes. @default 3 */
  names?: number
  /** Renders before and after side by side if there is room. */
  beside?: boolean
}

/** Renders a group: its cassettes, its place, and the content before and after. */
export function renderGroup(group: Group, options: TextOptions): string {
  const { colors, rows = 20, names = 3 } = options
  const { cassettes } = group
  const where = describeGroup(group).join(' · ')
  const listed = cassettes.slice(0, names).map((one) => `  ${layOutLine(nameOf(one))}`)
  const others = cassettes.length - listed.length
  const kept = describeKept(group)
  return [
    `${colors.bold(describeCassettes(cassettes))}  ${colors.cyan(where)}`,
    ...shownChanges(group).flatMap((change) => renderContent(change, { ...options, rows })),
    ...(kept ? [colors.yellow(`  ${kept}`)] : []),
    ...listed.map((line) => colors.dim(line)),
    ...(others > 0 ? [colors.dim(`  … and ${countOf(others, 'more cassette')}`)] : []),
  ].join('\n')
}

function renderContent(change: Change, options: TextOptions & { rows: number }): string[] {
  const { width, colors, rows, beside } = options
  const sides = beside ? renderBeside(change, options) : undefined
  if (sides) return sides
  const room = { width: width - PREFIX_WIDTH, brackets: !colors.isColorSupported, rows }
  const found = contentRows(change, room)
  return found.length > 0 ? [paintRows(found, colors.isColorSupported, width)] : []
}

/** In a narrower terminal, before and after are easier to read one below the other. */
const MIN_WIDTH = 100

/** Two rows beside each other. */
type Line = [left: Row | undefined, right: Row | undefined]

/**
 * Renders the content before and after a change side by side; `undefined` if the terminal is too narrow, or one side is
 * empty.
 */
function renderBeside(
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
