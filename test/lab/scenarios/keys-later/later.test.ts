import OpenAI from 'openai'
import { test } from 'vitest'

test('is not recorded yet', async () => {
  const openai = new OpenAI({ baseURL: `${process.env.UPSTREAM_URL}/v1` })
  await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'Hello' }],
  })
})
