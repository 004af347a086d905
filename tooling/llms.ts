// Writes what language models read about this package, from the README and the pages of `docs`: `llms.txt` lists the
// pages, `llms-full.txt` has them all.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pagesInOrder } from './pages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (page: string): string => readFileSync(`${root}${page}`, 'utf8')

/** The text of both files, by name. */
export function llmsFiles(): Record<string, string> {
  const pages = pagesInOrder().filter((page) => page.startsWith('docs/'))
  const [, summary] = read('README.md').split('\n\n')
  const listed = pages.map((page) => {
    const text = read(page)
    const about = describe(text)
    return `- [${titleOf(text)}](${page})${about === undefined ? '' : `: ${about}`}`
  })
  const list = [
    '# vitest-cassette',
    `> ${flatten(summary!)}`,
    'All pages in one file: [llms-full.txt](llms-full.txt). For coding agents: [SKILL.md](skills/vitest-cassette/SKILL.md).',
    '## Docs',
    listed.join('\n'),
  ]
  const full = ['README.md', ...pages].map((page) => `<!-- ${page} -->\n\n${read(page).trim()}`)
  return {
    'llms.txt': `${list.join('\n\n')}\n`,
    'llms-full.txt': `${full.join('\n\n')}\n`,
  }
}

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)![1]!
}

/** A description of fewer characters takes one more sentence. */
const SHORT = 70

/** The first sentences of the first paragraph, where a page has one. */
function describe(text: string): string | undefined {
  const paragraphs = text.replaceAll(/^ *```[^]*?^ *```$/gm, '').split(/\n{2,}/)
  const first = paragraphs.find((one) => /^(?:\w|`\w|\*\*|\[)/.test(one))
  if (first === undefined) return undefined
  const sentences = flatten(first).split(/(?<=[^.][.:]) (?=[A-Z`])/)
  const { length } = sentences[0]!
  return sentences
    .slice(0, length < SHORT ? 2 : 1)
    .join(' ')
    .replace(/:$/, '.')
}

/** A paragraph on one line, without links and emphasis. */
function flatten(paragraph: string): string {
  return paragraph
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .trim()
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, text] of Object.entries(llmsFiles())) writeFileSync(`${root}${name}`, text)
