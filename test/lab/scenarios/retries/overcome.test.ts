import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { ask } from './ask.ts'

const apiKey = 'sk-test-key-that-is-not-one'
const baseURL = `${process.env.ODD_URL}/v1`

test.for([408, 429, 500, 503, 529])('OpenAI, %i', async (status) => {
  expect(await ask(`status ${status} once, of OpenAI`, 2)).toContain('Odd')
})

test('OpenAI, a connection that breaks', async () => {
  expect(await ask('reset once, of OpenAI', 2)).toContain('Odd')
})

test('Anthropic', async () => {
  const anthropic = new Anthropic({ apiKey, baseURL: process.env.ODD_URL, maxRetries: 2 })
  const messages = [{ role: 'user' as const, content: 'status 529 once, please' }]
  await anthropic.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 9, messages })
})

test('a stream that breaks, and is asked again', async () => {
  expect(
    await streamed('cut once, and asked again').catch(() => streamed('cut once, and asked again')),
  ).toBe('one two three')
})

test('between two other questions', async () => {
  await ask('first')
  await ask('status 429 once, in the middle', 2)
  await ask('status 503 once, at the end', 2)
  await ask('last')
})

test('equal questions at the same time', async () => {
  const answers = await Promise.all([
    ask('status 429 once, twice asked', 2),
    ask('status 429 once, twice asked', 2),
  ])
  expect(answers).toHaveLength(2)
})

async function streamed(content: string): Promise<string> {
  const openai = new OpenAI({ apiKey, baseURL, maxRetries: 0 })
  const stream = await openai.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content }],
    stream: true,
  })
  let text = ''
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
  return text
}
