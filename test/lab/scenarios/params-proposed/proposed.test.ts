import OpenAI from 'openai'
import { expect, test } from 'vitest'

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${process.env.ODD_URL}/v1` })
const { ORDER = 'B-4711', DECLARED } = process.env
const text = `Where is order ${ORDER}? It has 7 parts.`

async function ask(content: string): Promise<string> {
  const messages = [{ role: 'user' as const, content }]
  const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages })
  return choices[0]!.message.content!
}

async function propose(prompt: string): Promise<string> {
  if (!prompt.includes('> Where is order B-4711?')) throw new Error('The conversation is not shown')
  return ask('I propose {"orderId": "B-4711", "elsewhere": "Zanzibar", "short": "7"}, no more.')
}

test('order', async ({ cassette }) => {
  if (DECLARED) cassette.params({ orderId: ORDER })
  cassette.use({ params: { strategy: 'llm', propose } })
  expect(await ask(text)).toBe(`Odd: ${text}`)
})

test('declared', async ({ cassette }) => {
  cassette.params({ orderId: ORDER })
  expect(await ask(text)).toBe(`Odd: ${text}`)
})

test('broken', async ({ cassette }) => {
  const params = { strategy: 'llm' as const, propose: () => Promise.reject(new Error('No model')) }
  cassette.use({ params })
  await ask('Hello')
})
