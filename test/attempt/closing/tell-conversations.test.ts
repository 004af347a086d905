import { expect, test } from 'vitest'
import { tellConversations } from '../../../src/attempt/closing/tell-conversations.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

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

test('a conversation is told up to its unanswered request', async () => {
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
  expect(lastIn(told)).toMatch(/^\w.*\.$/)
  await expectGolden(lastIn(told), 'unanswered')
})

/** The paragraph at the end of a text. */
function lastIn(text: string): string {
  return text.split('\n\n').at(-1)!
}

test('a conversation of many megabytes is not laid out', async () => {
  const told = asking(['x'.repeat(3_000_000)])!
  expect(told).toMatch(/^\w.* 3,000,\d{3} .*$/)
  await expectGolden(told.replace(/3,000,\d{3}/, '3,000,<number>'), 'too-long')
})

test('each conversation has its name', () => {
  const told = asking(['How?'], ['Who are you?'])
  expect(told).toMatch(
    /^--- thread-1 ---\n[^]+\n\n--- thread-2 ---\n[^]+> Who are you\?\n\n\w.*\.$/,
  )
})

test('long texts are folded, and of many the last are told', async () => {
  const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
  const folded = asking([long])!
    .split('\n')
    .find((line) => line.includes('...'))!
  expect(folded).toContain('... 28 ')
  const messages = Array.from({ length: 900 }, (_, at) => ({ role: 'user', content: `No. ${at}` }))
  const told = asking(['', { messages }])!
  const [cut] = told.split('\n\n')
  expect(cut).toMatch(/^\.\.\. [\d,]+ .*$/)
  await expectGolden(`${folded}\n${cut!.replace(/[\d,]+/, '<number>')}`, 'left-out')
  expect(told.length).toBeLessThan(20_100)
  expect(told.split('\n\n').at(-2)).toMatch(/> No\. 899$/)
})

test('it has neither keys nor what a terminal or a CI runner obeys', () => {
  const key = `sk-proj-${'aB3dE5gH7jK9'.repeat(4)}`
  const told = asking([`Use ${key} \u001b[31mred\n::error::no`])!
  expect(told).not.toContain(key)
  expect(told).toContain('Use <REDACTED:')
  expect(told).not.toContain('\u001b')
  expect(told).not.toMatch(/^\W*::error/m)
})
