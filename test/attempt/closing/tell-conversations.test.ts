import { expect, test } from 'vitest'
import { tellConversations } from '../../../src/attempt/closing/tell-conversations.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'

/** A test that asks these questions, of which the first one is recorded. */
function asking(...questions: Array<Parameters<typeof question>>): string | undefined {
  const session = openExample(recorded([question('How?'), 'Like this.']))
  for (const asked of questions) session.answer(question(...asked), { order: 0 })
  return tellConversations(session)
}

test('of a test that asked nothing, nothing is told', () => {
  expect(asking()).toBeUndefined()
})

test('what was asked and answered is told', () => {
  expect(asking(['How?'])).toMatch(
    /^User \[Turn 1\]\nat .*\n> How\?\n\nAssistant \[Turn 1\]\nat .*\nsays: Like this\.$/,
  )
})

test('up to the request that nothing answers', () => {
  const messages = [
    { role: 'user', content: 'How?' },
    { role: 'assistant', content: 'Like this.' },
    { role: 'user', content: 'Why?' },
  ]
  const told = asking(['How?'], ['', { messages }])!
  expect(told.match(/^(?:User|Assistant|> |says).*$/gm)).toEqual([
    'User [Turn 1]',
    '> How?',
    'Assistant [Turn 1]',
    'says: Like this.',
    'User [Turn 2]',
    '> Why?',
  ])
  expect(told).toMatch(/\n\nNothing answers this request\.$/)
})

test('one of many megabytes is not laid out', () => {
  expect(asking(['x'.repeat(3_000_000)])).toMatch(
    /^The conversation is too long to be shown here: 3,000,\d{3} characters\.$/,
  )
})

test('each conversation has its name', () => {
  const told = asking(['How?'], ['Who are you?'])
  expect(told).toMatch(/^--- thread-1 ---\n[^]+\n\n--- thread-2 ---\n[^]+Nothing answers this/)
})

test('long texts are folded, and of many the last are told', () => {
  const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
  expect(asking([long])).toContain('... 28 more lines (left out here)')
  const messages = Array.from({ length: 900 }, (_, at) => ({ role: 'user', content: `No. ${at}` }))
  const told = asking(['', { messages }])!
  expect(told).toMatch(/^\.\.\. [\d,]+ earlier characters left out here\n\n/)
  expect(told.length).toBeLessThan(20_100)
  expect(told).toContain('> No. 899\n\nNothing answers this request.')
})

test('it has neither keys nor what a terminal or a CI runner obeys', () => {
  const key = `sk-proj-${'aB3dE5gH7jK9'.repeat(4)}`
  const told = asking([`Use ${key} \u001b[31mred\n::error::no`])!
  expect(told).not.toContain(key)
  expect(told).toContain('Use <REDACTED:')
  expect(told).not.toContain('\u001b')
  expect(told).not.toMatch(/^\W*::error/m)
})
