import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/**
 * Holds a section of a page in `docs/` against what a run has shown; `-u` writes it. The section stands
 * between `<!-- begin name: … -->` and `<!-- end name -->`.
 */
export async function expectDocumented(page: string, name: string, text: string): Promise<void> {
  const path = fileURLToPath(new URL(`../docs/${page}`, import.meta.url))
  const document = readFileSync(path, 'utf8')
  const [begin] = new RegExp(`^<!-- begin ${name}: .*-->$`, 'm').exec(document) ?? []
  const end = `<!-- end ${name} -->`
  if (!begin || !document.includes(end)) throw new Error(`docs/${page} has no section ${name}`)
  const [before, after] = [document.split(begin)[0]!, document.split(end)[1]!]
  const written = [`${before}${begin}`, text.trim(), `${end}${after}`].join('\n\n')
  await expect(written).toMatchFileSnapshot(path)
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
