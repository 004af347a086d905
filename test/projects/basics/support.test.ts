import { describe, expect, test } from 'vitest'
import { ask, askClaude, askClaudeStreamed, askStreamed } from './app.ts'

test('openai answers', async () => {
  expect(await ask('How are you?')).toBe('You said: How are you?')
})

test('openai streams', async () => {
  const pieces = await askStreamed('Tell me a long story')
  expect(pieces.join('')).toBe('You said: Tell me a long story')
  expect(pieces.length).toBeGreaterThan(3)
})

describe('claude', () => {
  test('answers', async () => {
    expect(await askClaude('Write a haiku')).toBe('You said: Write a haiku')
  })

  test('streams', async () => {
    expect(await askClaudeStreamed('Write a sonnet')).toBe('You said: Write a sonnet')
  })
})

test('asks no model', () => {
  expect(1 + 1).toBe(2)
})
