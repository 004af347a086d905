import { printable } from './printable.ts'

/** A text for one line of Markdown. Written as entities, no character means anything to Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replace(/[&<>\\`*_[\]()#!|~@]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('\n', ' ')
}
