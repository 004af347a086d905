import { layOutLine, printable } from './printable.ts'

/** A block of text as it is: its fence is longer than any run of backticks in it, so that nothing ends it early. */
export function fence(text: string, language: string = ''): string {
  const runs = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)
  const marks = '`'.repeat(Math.max(3, ...runs))
  return `${marks}${language}\n${printable(text)}\n${marks}`
}

/** A text as it stands between two backticks. */
export function inline(text: string): string {
  return layOutLine(text).replaceAll('`', "'")
}

/** A line as code inside of HTML, where Markdown makes no mentions and no links of it. */
export function codeInHtml(text: string): string {
  return `<code>${escapeHtml(layOutLine(text))}</code>`
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** A text for one line of Markdown. Written as entities, no character means anything to Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replace(/[&<>\\`*_[\]()#!|~@]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('\n', ' ')
}
