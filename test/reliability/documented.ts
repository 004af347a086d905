import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/**
 * Holds a section of a page in `docs/` against what a run has shown; `-u` writes it. The section stands
 * between `<!-- name -->` and `<!-- /name -->`.
 */
export async function expectDocumented(page: string, name: string, text: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../docs/${page}`, import.meta.url))
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const document = readFileSync(path, 'utf8')
  const [before, after] = [document.split(open)[0]!, document.split(close)[1]]
  if (after === undefined) throw new Error(`docs/${page} has no section ${open} … ${close}`)
  await expect(`${before}${open}\n\n${text}\n\n${close}${after}`).toMatchFileSnapshot(path)
}

/** A table in Markdown, its columns as wide as their widest cell. */
export function printTable(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const print = (cells: string[], filler = ' '): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, filler)).join(' | ')} |`
  const ruler = print(
    widths.map(() => ''),
    '-',
  )
  return [print(rows[0]!), ruler, ...rows.slice(1).map((row) => print(row))].join('\n')
}
