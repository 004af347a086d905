import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { UPSTREAM_URL = 'http://127.0.0.1:9', BESIDE_URL = 'http://127.0.0.1:65000' } = process.env
const apiKey = 'sk-none'
const openai = new OpenAI({ apiKey, baseURL: `${UPSTREAM_URL}/v1`, maxRetries: 0 })
const anthropic = new Anthropic({ apiKey, baseURL: BESIDE_URL, maxRetries: 0 })

/** A sub-agent, with a conversation of its own. */
async function sumUp(content: string): Promise<void> {
  await anthropic.messages.create({
    model: 'claude-sonnet-5',
    max_tokens: 20,
    system: 'You sum up.',
    messages: [{ role: 'user', content }],
  })
}

test('an agent asks three questions and sums up twice', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = []
  const city = process.env.CITY ?? 'Bern'
  for (const content of ['Where is my order?', `In ${city}?`, 'When?']) {
    messages.push({ role: 'user', content })
    const answer = await openai.chat.completions.create({ model: 'gpt-5', messages })
    messages.push(answer.choices[0]!.message)
    await sumUp(content.replace(city, 'the city'))
  }
  expect(messages[3]!.content).toBe(process.env.EXPECT ?? `Odd: In ${city}?`)
})
