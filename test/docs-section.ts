import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/** A section of a page, between `<!-- begin name: … -->` and `<!-- end name -->`, with what stands around it. */
export function sectionOf(
  document: string,
  name: string,
): { before: string; text: string; after: string } {
  const [begin] = new RegExp(`^<!-- begin ${name}: .*-->$`, 'm').exec(document) ?? []
  const end = `<!-- end ${name} -->`
  if (!begin || !document.includes(end)) throw new Error(`The page has no section ${name}`)
  const [before, rest] = document.split(begin) as [string, string]
  const [text, after] = rest.split(end) as [string, string]
  return { before: before + begin, text, after: end + after }
}

/** Holds a section of a page in `docs/` against what a run has shown; `-u` writes it. */
export function expectDocumented(page: string, name: string, text: string): Promise<void> {
  return expectSections(page, { [name]: text })
}

/** The same for several sections of one page. */
export async function expectSections(
  page: string,
  sections: Record<string, string>,
): Promise<void> {
  const path = fileURLToPath(new URL(`../docs/${page}`, import.meta.url))
  let document = readFileSync(path, 'utf8')
  for (const [name, text] of Object.entries(sections)) {
    const { before, after } = sectionOf(document, name)
    document = [before, text.trim(), after].join('\n\n')
  }
  await expect(document).toMatchFileSnapshot(path)
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
