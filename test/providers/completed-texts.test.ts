import { expect, test } from 'vitest'
import { dialectOf } from '../../src/providers/dialects.ts'
import { openaiCompletions } from '../../src/providers/openai/openai-completions.ts'
import { data, requestTo, stream } from './wire.ts'

const dialectAt = (url: string, body: object) => dialectOf(requestTo(url, body)).name

test('a chat is no completed text', () => {
  const body = { model: 'gpt-5', prompt: 'Hi.', messages: [{ role: 'user', content: 'Hi.' }] }
  expect(dialectAt('https://api.openai.com/v1/chat/completions', body)).toBe('openai-chat')
})

test('a reason stands although a later piece has none', () => {
  const events = data(
    { choices: [{ index: 0, text: 'Dry.', finish_reason: 'stop' }] },
    { choices: [{ index: 0, text: '', finish_reason: null }], usage: { prompt_tokens: 2 } },
  )
  expect(openaiCompletions.readCompletion(stream(...events))).toEqual({
    text: 'Dry.',
    toolCalls: [],
    finishReasons: ['stop'],
    usage: { inputTokens: 2 },
  })
})

test.each([
  ['https://x1.us-east-1.aws.endpoints.huggingface.cloud/', 'generic'],
  ['https://api-inference.huggingface.co/models/gpt2', 'generic'],
  ['http://localhost:8080/generate_stream', 'hugging-face-text'],
  ['https://router.huggingface.co/hf-inference/models/a/b/pipeline/feature-extraction', 'generic'],
])('what is asked at %s is %s', (url, name) => {
  expect(dialectAt(url, { inputs: 'The lawn is' })).toBe(name)
})
