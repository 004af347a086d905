import type { Colors } from 'picocolors/types.js'

/** The width of the labels in Vitest's own summary. */
const LABEL = 11

/** Rows of the summary of a run, each with its line break: the first has a label, and the others stand below its text. */
export function summaryRows(label: string, lines: readonly string[], paint: Colors): string {
  const heads = [paint.dim(label.padStart(LABEL))]
  return lines.map((line, index) => `${heads[index] ?? ' '.repeat(LABEL)}  ${line}\n`).join('')
}
