import fc from 'fast-check'
import { expect, test } from 'vitest'
import { similarity, sketchWords } from '../../src/diff/similarity.ts'
import type { Prompt } from '../../src/prompt/prompt.ts'
import { relatedPrompts } from './prompt-arbitrary.ts'
import { promptOf, supportPrompt, textMessage } from './support-prompt.ts'

/** The names of candidates, the most similar first. */
function rank(received: Prompt, candidates: Record<string, Prompt>): string[] {
  return Object.keys(candidates).sort(
    (one, other) =>
      similarity(candidates[other]!, received) - similarity(candidates[one]!, received),
  )
}

function conversation(instructions: string, ...turns: string[]): Prompt {
  const messages = turns.map((text, index) => textMessage(index % 2 ? 'assistant' : 'user', text))
  return { ...promptOf(''), messages: [textMessage('system', instructions), ...messages] }
}

test('only ids of tool calls leave prompts equal', () => {
  const renamed = supportPrompt((prompt) => {
    for (const part of prompt.messages.flatMap((message) => message.parts)) {
      if ('id' in part && part.id) part.id = `${part.id}_again`
    }
  })
  expect(similarity(supportPrompt(), renamed)).toBe(1)
  const warmer = supportPrompt((prompt) => (prompt.parameters.temperature = 1))
  expect(similarity(supportPrompt(), warmer)).toBeLessThan(1)
  expect(similarity(supportPrompt(), warmer)).toBeGreaterThan(0.8)
})

test('the conversation with the same instructions ranks first', () => {
  const received = conversation('You sell shoes.', 'Where is my order number seven?')
  expect(
    rank(received, {
      stranger: conversation('You translate.', 'Guten Morgen'),
      words: conversation('You translate.', 'Where is my order number six?'),
      same: conversation('You sell shoes.', 'I want my money back'),
      edited: conversation('You sell shoes.', 'Where is my order number six?'),
    }),
  ).toEqual(['edited', 'same', 'words', 'stranger'])
})

test('the same conversation ranks by the turn it has reached', () => {
  const turns = ['Hi', 'Hello', 'Where is my order?', 'Which one?', 'The last', 'Lost']
  const candidates = Object.fromEntries(
    [1, 3, 5].map((count) => [
      `turn ${count}`,
      conversation('You sell shoes.', ...turns.slice(0, count)),
    ]),
  )
  const received = conversation('You sell shoes.', 'Hi', 'Hello', 'Where is my parcel?')
  expect(rank(received, candidates)[0]).toBe('turn 3')
})

test('one word in a long text leaves prompts nearly equal, another long text does not', () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `word${index * 7919}`)
  const others = words.map((word) => `other${word}`)
  const edited = words.with(5_000, 'edited')
  expect(similarity(promptOf(words.join(' ')), promptOf(edited.join(' ')))).toBeGreaterThan(0.55)
  expect(similarity(promptOf(words.join(' ')), promptOf(others.join(' ')))).toBeLessThan(0.3)
})

test('keys in another order are alike', () => {
  const withFormat = (parameters: Prompt['parameters']): Prompt => ({
    ...promptOf('Hi'),
    parameters,
  })
  const one = withFormat({ seed: 1, response_format: { type: 'json', strict: true } })
  expect(
    similarity(one, withFormat({ response_format: { strict: true, type: 'json' }, seed: 1 })),
  ).toBe(1)
})

test('what is kept of a text does not grow with it', () => {
  const words = Array.from({ length: 100_000 }, (_, index) => `word${index}`)
  expect(sketchWords(words).hashes.size).toBeLessThan(1_500)
})

test('a prompt is read once, however often it is compared', () => {
  let reads = 0
  const prompt = promptOf('Where is my order?')
  const [message] = prompt.messages
  Object.defineProperty(prompt, 'messages', { get: () => (reads++, [message]) })
  similarity(prompt, promptOf('one'))
  const readsOfFirst = reads
  for (let count = 0; count < 100; count++) similarity(prompt, promptOf(`number ${count}`))
  expect(reads).toBe(readsOfFirst)
})

test('it lies between 0 and 1, is symmetric, and is 1 for equal prompts', () => {
  fc.assert(
    fc.property(relatedPrompts, ([one, other]) => {
      const value = similarity(one, other)
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
      expect(similarity(other, one)).toBeCloseTo(value, 10)
      expect(similarity(one, structuredClone(one))).toBe(1)
    }),
  )
})
