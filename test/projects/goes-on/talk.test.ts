import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { UPSTREAM_URL = 'http://127.0.0.1:9' } = process.env
const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${UPSTREAM_URL}/v1`, maxRetries: 0 })

test('talks', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You know planets.' },
  ]
  for (const content of ['How many moons?', 'And rings?', 'Thank you.']) {
    messages.push({ role: 'user', content })
    const answer = await openai.chat.completions.create({ model: 'gpt-5', messages })
    messages.push(answer.choices[0]!.message)
  }
  // What was said before comes from the store.
  expect([messages[2], messages[4]]).toMatchObject([{ content: '97.' }, { content: 'Four.' }])
})
