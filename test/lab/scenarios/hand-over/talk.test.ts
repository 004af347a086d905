import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const { ODD_URL, UPSTREAM_URL, CITY: city = 'Bern', EXPECT } = process.env
// Its requests are sent nowhere once they are recorded.
const { BESIDE_URL = UPSTREAM_URL } = process.env
const apiKey = 'sk-none'
const openai = new OpenAI({ apiKey, baseURL: `${ODD_URL}/v1`, maxRetries: 0 })
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

/** Asks three questions, sums each of them up, and gives the second answer. */
async function talk(): Promise<unknown> {
  const messages: OpenAI.ChatCompletionMessageParam[] = []
  for (const content of ['Where is my order?', `In ${city}?`, 'When?']) {
    messages.push({ role: 'user', content })
    const answer = await openai.chat.completions.create({ model: 'gpt-5', messages })
    messages.push(answer.choices[0]!.message)
    await sumUp(content.replace(city, 'the city'))
  }
  return messages[3]!.content
}

test('an agent asks three questions and sums up each', async () => {
  expect(await talk()).toBe(`Odd: In ${city}?`)
})

test('a failing agent asks them too', async () => {
  expect(await talk()).toBe(EXPECT ?? `Odd: In ${city}?`)
})
