import type { Colors } from 'picocolors/types.js'

/** The width of the labels in Vitest's own summary. */
const LABEL = 11

/** Lines of the summary of a run: the first has a label, and the others stand below its text. */
export function summaryRows(label: string, lines: readonly string[], paint: Colors): string[] {
  return lines.map((line, index) =>
    index === 0 ? `${paint.dim(label.padStart(LABEL))}  ${line}` : `${' '.repeat(LABEL)}  ${line}`,
  )
}
