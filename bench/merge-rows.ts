/** The rows and the columns that a table can have, in order. */
export interface Known {
  titles: readonly string[]
  columns: readonly string[]
}

/** What a cell shows that was not measured. */
export const UNMEASURED = '–'

/**
 * The table as it was, with the measured cells in their rows and columns. Rows and columns that this run did not measure
 * stay; those that there are no longer go.
 */
export function mergeRows(
  before: readonly string[],
  measured: readonly string[],
  { titles, columns }: Known,
): string[] {
  const [then, now] = [before, measured].map((rows) => rows.map(cellsOf))
  const has = (cells: string[][], title: string): boolean =>
    cells.some(([first]) => first === title)
  const shown = ['workload', ...columns, 'gate', 'goal'].filter((column) =>
    [then!, now!].some(([head]) => head?.includes(column)),
  )
  const rows = titles.filter((title) => has(then!, title) || has(now!, title))
  const cells = rows.map((title) =>
    shown.map((column) => {
      const found = [now!, then!].map((table) => cellAt(table, title, column))
      return found.find((cell) => cell !== undefined && cell !== UNMEASURED) ?? UNMEASURED
    }),
  )
  return [shown, shown.map((_, at) => (at === 0 ? '---' : '--:')), ...cells].map(rowOf)
}

function cellAt(table: string[][], title: string, column: string): string | undefined {
  return table.find(([first]) => first === title)?.[table[0]!.indexOf(column)]
}

export function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}
