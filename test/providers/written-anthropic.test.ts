import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import type { Completion } from '../../src/prompt/completion.ts'
import { fetchOf, PICNIC } from './written-for.ts'

const clientOf = (completion: Completion): Anthropic =>
  new Anthropic({ apiKey: 'none', fetch: fetchOf(completion), maxRetries: 0 })

const REFUSED: Completion = { text: '', toolCalls: [], finishReasons: [], error: 'Too fast.' }

const asked = {
  model: 'claude-sonnet-5',
  max_tokens: 64,
  messages: [{ role: 'user' as const, content: 'Is it dry?' }],
}

const ANSWERED = {
  content: [
    { type: 'thinking', thinking: PICNIC.reasoning },
    { type: 'text', text: PICNIC.text },
    { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Ulm', days: [1, 2] } },
    { type: 'tool_use', id: 'call_2', name: 'now', input: {} },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 40 },
}

const completion = { ...PICNIC, finishReasons: ['tool_use'] }

test('a message comes at once', async () => {
  expect(await clientOf(completion).messages.create(asked)).toMatchObject(ANSWERED)
})

test('a message comes as a stream', async () => {
  const stream = clientOf(completion).messages.stream(asked)
  const deltas: string[] = []
  stream.on('text', (delta) => deltas.push(delta))
  expect(await stream.finalMessage()).toMatchObject(ANSWERED)
  expect(deltas.length).toBeGreaterThan(3)
  expect(deltas.join('')).toBe(PICNIC.text)
})

test('a message of which nothing is known but its text ends its turn', async () => {
  const hello: Completion = { text: 'Hello.', toolCalls: [], finishReasons: [] }
  for (const message of [
    await clientOf(hello).messages.create(asked),
    await clientOf(hello).messages.stream(asked).finalMessage(),
  ]) {
    expect(message).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Hello.' }],
    })
  }
})

test('tokens are counted', async () => {
  const counted: Completion = { text: '120 tokens', toolCalls: [], finishReasons: [] }
  const { max_tokens: _, ...prompt } = asked
  const count = await clientOf(counted).messages.countTokens(prompt)
  expect(count).toMatchObject({ input_tokens: 120 })
})

test('a refusal is an error of the client', async () => {
  const { messages } = clientOf(REFUSED)
  await expect(messages.create(asked)).rejects.toThrow('Too fast.')
  await expect(messages.stream(asked).finalMessage()).rejects.toThrow('Too fast.')
})

test('an error in the middle is an error of the client', async () => {
  const broken = clientOf({ ...completion, error: 'Down.', incomplete: true })
  await expect(broken.messages.stream(asked).finalMessage()).rejects.toThrow('Down.')
})
