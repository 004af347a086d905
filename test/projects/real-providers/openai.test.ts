import OpenAI from 'openai'
import { expect, test } from 'vitest'

test('OpenAI answers', async () => {
  const completion = await new OpenAI().chat.completions.create({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Answer with the one word: pong' }],
  })
  expect(completion.choices[0]!.message.content).toMatch(/pong/i)
})
