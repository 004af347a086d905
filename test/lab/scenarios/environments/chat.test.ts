import { expect, test } from 'vitest'
import { openai } from './client.ts'

const ask = (content: string) => ({
  model: 'gpt-5',
  messages: [{ role: 'user' as const, content }],
})

test('asks', async () => {
  const { choices } = await openai.chat.completions.create(ask('Hello'))
  expect(choices[0]!.message.content).toBe('You said: Hello')
})

test('streams', async () => {
  const answer = await fetch(`${process.env.UPSTREAM_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ask('Count to ten'), stream: true }),
  })
  const text = await answer.text()
  expect(text.match(/data: /g)!.length).toBeGreaterThan(2)
  expect(text).toContain('You said: Co')
})
