import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import { visibleWidth } from '../../src/diff/row.ts'
import { relatedPrompts } from './prompt-arbitrary.ts'
import { supportPrompt } from './support-prompt.ts'
import { summarizeChange } from './as-shown.ts'

test('a short value is quoted, a long one is not', () => {
  const changes = diffPrompts(
    supportPrompt(),
    supportPrompt((prompt) => Object.assign(prompt.parameters, { temperature: 1, stop: 'x' })),
  )
  expect(changes.map(summarizeChange)).toEqual(['temperature: 0 → 1', 'stop: added'])
})

test('a hostile name becomes one harmless line', () => {
  const changes = diffPrompts(
    supportPrompt(),
    supportPrompt((prompt) => (prompt.parameters = { '::error::\n\u001b[2J##[group]': 1 })),
  )
  expect(changes.map(summarizeChange)).toContain('["::error::\\n\\u001b[2J#\u200b#[group]"]: added')
})

test('every summary is one line of at most 100 columns without control characters', () => {
  fc.assert(
    fc.property(relatedPrompts, ([one, other]) => {
      const lines = diffPrompts(one, other).map(summarizeChange)
      expect(lines.filter((line) => visibleWidth(line) > 100)).toEqual([])
      expect(lines.filter((line) => /\p{Cc}|^\s*::|##\w*\[/u.test(line))).toEqual([])
    }),
  )
})
