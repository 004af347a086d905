import { expect, test } from 'vitest'
import type { Mode } from '../../../src/config/mode.ts'
import { decide } from '../../../src/engine/session/decide.ts'

test('the mode and whether an exchange answers decide what becomes of a request', () => {
  const table = (['replay', 'new', 'all', 'prompts', 'off'] as Mode[]).map(
    (mode) =>
      `${mode.padEnd(7)} | answered: ${decide(mode, true).padEnd(6)} | unanswered: ${decide(mode, false)}`,
  )
  expect(table.join('\n')).toMatchInlineSnapshot(`
    "replay  | answered: replay | unanswered: miss
    new     | answered: replay | unanswered: record
    all     | answered: record | unanswered: record
    prompts | answered: replay | unanswered: miss
    off     | answered: live   | unanswered: live"
  `)
})
