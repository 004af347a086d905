import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'

test('Anthropic answers', async () => {
  const stream = new Anthropic().messages.stream({
    model: 'claude-haiku-4-5',
    max_tokens: 16,
    messages: [{ role: 'user', content: 'Answer with the one word: pong' }],
  })
  expect(await stream.finalText()).toMatch(/pong/i)
})
