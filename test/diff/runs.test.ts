import { expect, test } from 'vitest'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import type { Message, Prompt } from '../../src/prompt/prompt.ts'
import { renderChanges, summarizeChanges } from './as-shown.ts'

const say = (index: number): Message => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  parts: [
    { type: 'text', text: `Sentence ${index} is about ${'abcdefghij'[index % 10]!.repeat(9)}.` },
  ],
})

const TALK = Array.from({ length: 60 }, (_, index) => say(index))

const prompt = (messages: Message[], more: Partial<Prompt> = {}): Prompt => ({
  provider: 'openai',
  operation: 'chat',
  model: 'gpt-5',
  parameters: {},
  messages,
  tools: [],
  ...more,
})

function compared(one: Prompt, other: Prompt): { headline: string; shown: string } {
  const changes = diffPrompts(one, other)
  const shown = renderChanges(changes, { color: false })
  return { headline: summarizeChanges(changes), shown }
}

test('messages in a row that are gone are one line', () => {
  const { headline, shown } = compared(prompt(TALK), prompt([TALK[0]!, ...TALK.slice(57)]))
  expect(headline).toBe('recorded messages 2–57: removed (56)')
  expect(shown).toContain('recorded messages 2–57 · removed (56)')
  expect(shown.split('\n').length).toBeLessThan(20)
})

test('what is changed beside them is counted by itself', () => {
  const tools = [{ name: 'look_up' }]
  const { headline } = compared(prompt(TALK), prompt([TALK[0]!, ...TALK.slice(57)], { tools }))
  expect(headline).toBe('recorded messages 2–57: removed (56), and 1 more change')
})

test('one or two that are gone are shown', () => {
  const { shown } = compared(prompt(TALK), prompt([TALK[0]!, ...TALK.slice(3)]))
  expect(shown).toContain('Sentence 1 is about')
  expect(shown).toContain('Sentence 2 is about')
})

test.each([
  [1, 2],
  [3, 9],
  [0, 59],
])('messages %i and %i in the place of each other are swapped', (one, other) => {
  const swapped = TALK.with(one, TALK[other]!).with(other, TALK[one]!)
  const { headline, shown } = compared(prompt(TALK), prompt(swapped))
  expect(headline).toBe(`messages ${one + 1} and ${other + 1}: swapped`)
  expect(shown).toContain(`messages ${one + 1} and ${other + 1} · swapped`)
})

test('one that moves further is moved', () => {
  const moved = [...TALK.slice(0, 2), ...TALK.slice(3, 9), TALK[2]!, ...TALK.slice(9)]
  expect(compared(prompt(TALK), prompt(moved)).headline).toMatch(/: moved$/)
})

test.each<[string, Partial<Prompt>, Partial<Prompt>, string]>([
  ['a model', {}, { model: 'gpt-6' }, 'model: gpt-5 → gpt-6'],
  [
    'a header',
    { headers: { 'anthropic-beta': 'a' } },
    { headers: { 'anthropic-beta': 'b' } },
    'header anthropic-beta: a → b',
  ],
  [
    'a tool',
    { tools: [{ name: 'look', description: 'Looks.' }] },
    { tools: [{ name: 'look', description: 'Sees.' }] },
    'tool "look" description: Looks. → Sees.',
  ],
])('%s that changes is no text edit', (_, one, other, headline) => {
  expect(compared(prompt(TALK, one), prompt(TALK, other)).headline).toBe(headline)
})

test('what stands beside a text is not the text', () => {
  const hinted = (ttl: string): Message => ({
    ...say(0),
    extra: { 'content[0].cache_control': { ttl } },
  })
  const { headline } = compared(prompt([hinted('5m')]), prompt([hinted('1h')]))
  expect(headline).not.toContain('text edited')
  expect(headline).toContain('5m → 1h')
})
