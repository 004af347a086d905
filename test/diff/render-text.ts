import { stripVTControlCharacters } from 'node:util'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import { type RenderOptions } from '../../src/diff/render-changes.ts'
import { promptOf } from './support-prompt.ts'
import { renderChanges } from './as-shown.ts'

/** What a reader meets when one user message changed, without its heading. */
export function renderText(
  before: string,
  after: string,
  options: Partial<RenderOptions> = {},
): string[] {
  const changes = diffPrompts(promptOf(before), promptOf(after))
  return renderChanges(changes, { color: false, ...options })
    .split('\n')
    .slice(1)
}

/** The rows before and after, without colours and signs. */
export function sidesOf(rows: string[]): string[][] {
  const plain = rows.map(stripVTControlCharacters)
  return ['-', '+'].map((sign) => plain.filter((row) => row[4] === sign).map((row) => row.slice(6)))
}
