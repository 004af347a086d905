/** The known table with the measured cells in their rows and columns; new columns stand before the target. */
export function mergeRows(known: readonly string[], measured: readonly string[]): string[] {
  const [before, now] = [known, measured].map((rows) => rows.map(cellsOf))
  const columns = [...new Set([...(before![0] ?? []), ...now![0]!])].sort(
    (one, other) => Number(one === 'target') - Number(other === 'target'),
  )
  const titles = new Set([...before!, ...now!].map(([title]) => title!))
  return [...titles].map((title) => {
    const cells = columns.map((column) => {
      const found = [now!, before!].map((rows) => {
        const at = rows[0]?.indexOf(column) ?? -1
        return rows.find(([first]) => first === title)?.[at]
      })
      return found[0] ?? found[1] ?? (title === '---' ? '--:' : '–')
    })
    return `| ${cells.join(' | ')} |`
  })
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}
