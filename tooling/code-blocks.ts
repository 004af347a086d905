// Code blocks of Markdown, as the docs have them: between fences, or indented by four spaces.

export interface CodeBlock {
  /** The word after the fence; of an indented block `sh`, if it holds commands; else empty. */
  language: string
  code: string
  /** The line of the page on which the block begins, from 1. */
  line: number
}

/** The code blocks of a page, in order. */
export function codeBlocksOf(page: string): CodeBlock[] {
  const pattern = /^( *)(`{3,})([\w-]*).*\n([^]*?)^\1\2 *$|(?<=\n\n)((?: {4}.*\n|\n(?= {4}))+)/gm
  return Array.from(
    page.matchAll(pattern),
    ({ index, 1: indent, 3: language, 4: fenced, 5: indented }) => {
      const code = fenced ?? indented!
      return {
        language: language ?? languageOf(code),
        code: code.replaceAll(new RegExp(`^${indent ?? ' {4}'}`, 'gm'), ''),
        line: page.slice(0, index).split('\n').length,
      }
    },
  )
}

/** The language of an indented block, which cannot name it. */
export function languageOf(code: string): string {
  return /^\s*(?:[A-Z_]+=\S* )*(?:for|gh|git|mkdir|node|npm|npx|python3|rm) /.test(code) ? 'sh' : ''
}
