import { expect, test } from 'vitest'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import { requestTo } from '../providers/wire.ts'
import { openExample } from '../engine/example-session.ts'
import { askWritten, judged, writtenFile } from '../engine/written-file.ts'
import { expectGolden } from '../golden.ts'

const OPTIONS = { temperature: 0.7, max_tokens: 1000, stop: ['END'] }

test.each<[string, string, object]>([
  [
    'chat',
    'https://api.openai.com/v1/chat/completions',
    { temperature: 0.7, max_completion_tokens: 1000, stop: 'END' },
  ],
  [
    'messages',
    'https://api.anthropic.com/v1/messages',
    { temperature: 0.7, max_tokens: 1000, stop_sequences: ['END'] },
  ],
  [
    'gemini',
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent',
    { generationConfig: { temperature: 0.7, maxOutputTokens: 1000, stopSequences: ['END'] } },
  ],
  [
    'converse',
    'https://bedrock-runtime.us-east-1.amazonaws.com/model/nova/converse',
    { inferenceConfig: { temperature: 0.7, maxTokens: 1000, stopSequences: ['END'] } },
  ],
  [
    'ollama',
    'http://localhost:11434/api/chat',
    { options: { temperature: 0.7, num_predict: 1000, stop: ['END'] } },
  ],
])(
  'parameters in the metadata are those of the request by their meaning: %s',
  async (kind, url, body) => {
    const said =
      kind === 'gemini'
        ? { contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }] }
        : kind === 'converse'
          ? { messages: [{ role: 'user', content: [{ text: 'Hello?' }] }] }
          : { model: 'gpt-5', messages: [{ role: 'user', content: 'Hello?' }] }
    const ask = (metadata: object, more: object): Session => {
      const prompt = { text: 'Hello?', metadata }
      const session = openExample(writtenFile({ prompt, response: { text: 'Hi.' } }))
      askWritten(session, readIncoming(requestTo(url, { ...said, ...more } as never)))
      return session
    }
    expect(judged(ask(OPTIONS, body))).toEqual({})
    expect(judged(ask({ maxTokens: 1000, temperature: 0.7 }, body))).toEqual({})
    for (const metadata of [
      { ...OPTIONS, temperature: 0.1 },
      { ...OPTIONS, max_tokens: 5 },
      { ...OPTIONS, stop: 'STOP' },
      { ...OPTIONS, top_p: 1 },
    ])
      expect(judged(ask(metadata, body)).failure).toBeDefined()
    const { details } = judged(ask({ ...OPTIONS, max_tokens: 5 }, body)).failure!
    expect(details).toMatch(/(?:max\w*|num_predict).*\s+- 5\s+\+ 1000/i)
    const advice = details.split('\n\n').at(-1)!
    expect(advice).toMatch(/metadata.* exchange-1 /)
    await expectGolden(advice, 'correct')
    expect(judged(ask(OPTIONS, {})).failure!.details).toContain('temperature')
  },
)

test('a parameter that is called as the entries of a context is one', () => {
  const exchange = {
    prompt: { text: 'Hello?', metadata: { context: [1, 2, 3] } },
    response: { text: 'Hi.' },
  }
  const ask = (context: number[]): unknown => {
    const url = 'http://localhost:11434/api/generate'
    const body = { model: 'llama', prompt: 'Hello?', context }
    return askWritten(openExample(writtenFile(exchange)), readIncoming(requestTo(url, body)))
  }
  expect(ask([1, 2, 3])).toBeDefined()
  expect(ask([1, 2])).toBeUndefined()
})

test('tools in the metadata are those of the request, in any order, as far as they are told', () => {
  const chat = (...tools: object[]): object => ({
    tools: tools.map((tool) => ({ type: 'function', function: tool })),
  })
  const [look, pay] = [
    { name: 'look', description: 'Looks', parameters: { type: 'object', $schema: 'x' } },
    { name: 'pay' },
  ]
  const isAnswered = (tools: object[], more: object): boolean => {
    const session = openExample(
      writtenFile({ prompt: { text: 'Hello?', metadata: { tools } }, response: { text: 'Hi.' } }),
    )
    const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hello?' }], ...more }
    const url = 'https://api.openai.com/v1/chat/completions'
    return askWritten(session, readIncoming(requestTo(url, body))) !== undefined
  }
  expect(isAnswered([{ name: 'look' }, pay], chat(pay, look))).toBe(true)
  expect(isAnswered([{ ...look, parameters: { type: 'object' } }], chat(look))).toBe(true)
  expect(isAnswered([], {})).toBe(true)
  expect(isAnswered([pay], chat(look, pay))).toBe(false)
  expect(isAnswered([look, pay], chat(look))).toBe(false)
  expect(isAnswered([{ ...look, description: 'Sees' }], chat(look))).toBe(false)
  expect(isAnswered([{ ...look, parameters: { type: 'string' } }], chat(look))).toBe(false)
  expect(isAnswered([], chat(pay))).toBe(false)
})
