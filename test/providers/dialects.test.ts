import { expect, test } from 'vitest'
import { dialectOf } from '../../src/providers/dialects.ts'
import { isProviderPath } from '../../src/providers/provider-paths.ts'
import { samples } from './samples/index.ts'
import { requestTo } from './wire.ts'

const dialectAt = (path: string, body: unknown) =>
  dialectOf(requestTo(`https://llm.example.com${path}`, body)).name

test('knows a dialect by its path on any host', () => {
  for (const { dialect, url, body, method } of samples) {
    const elsewhere = url.replace(/^https:\/\/[^/]+/, 'http://localhost:8080')
    expect(dialectOf(requestTo(elsewhere, body, method)).name).toBe(dialect)
  }
})

test('knows a dialect where the model is in the path or there is one model only', () => {
  const messages = [{ role: 'user', content: 'hi' }]
  expect(dialectAt('/openai/deployments/gpt/chat/completions', { messages })).toBe('openai-chat')
  expect(dialectAt('/openai/deployments/ada/embeddings', { input: 'hi' })).toBe('openai-embeddings')
  expect(dialectAt('/v1/responses', { prompt: { id: 'pmpt_1' } })).toBe('openai-responses')
  expect(dialectAt('/v1/responses', { model: 'gpt', previous_response_id: 'resp_1' })).toBe(
    'openai-responses',
  )
})

test.each([
  ['/v1/audio/speech', { model: 'tts-1', input: 'hi' }],
  ['/v1/images/generations', { prompt: 'a lawn' }],
  ['/openai/deployments/dall-e-3/images/generations', { prompt: 'a lawn' }],
  ['/v1/moderations', { input: 'hi' }],
  ['/v1/videos', { model: 'sora-2', prompt: 'a lawn' }],
])('knows speech, pictures, videos and moderations of a gateway at %s', (path, body) => {
  expect(dialectAt(path, body)).toBe('openai-media')
  expect(isProviderPath('POST', new URL(`http://localhost:4000${path}`))).toBe(true)
})

test.each([
  ['/v1/videos', { title: 'hi' }],
  ['/v1/messages', { to: 'ada', text: 'hi' }],
  ['/v1/messages', { model: 'T-shirt', messages: ['hi'] }],
  ['/v1/messages', { model: 'T-shirt', messages: [] }],
  ['/v1/messages', { messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1/responses', { survey: 7, input: 'yes' }],
  ['/v1/responses', { model: 'survey' }],
  ['/v1/responses', { model: 'survey', input: { answer: 'yes' } }],
  ['/v1/embeddings', { model: 'video' }],
  ['/v1/embeddings', { input: 'hi' }],
  ['/chat/completions', { messages: 'hi' }],
  ['/chat/completions', { messages: [{ text: 'hi' }] }],
  ['/chat/completions', [{ role: 'user' }]],
])('leaves a web application its own %s with %j', (path, body) => {
  expect(dialectAt(path, body)).toBe('generic')
})

test('claims nothing that is only read', () => {
  for (const { url, body } of samples) {
    expect(dialectOf({ ...requestTo(url, body), method: 'GET' }).name).toBe('generic')
  }
})

test.each([
  '/v1/chat/completions',
  '/api/paas/v4/chat/completions',
  '/openai/deployments/gpt/chat/completions',
  '/v1/responses',
  '/openai/v1/responses',
  '/v1/responses/',
  '/v1/embeddings',
  '/anthropic/v1/messages',
  '/v1beta/models/gemini-2.5-flash:streamGenerateContent',
  '/v1/models/gemini-embedding-001:batchEmbedContents',
  '/v1/models/gemini-2.5-flash:countTokens',
  '/v1beta/interactions',
  '/v2/chat',
  '/v2/embed',
  '/v2/rerank',
  '/api/chat',
  '/api/embed',
  '/v1/completions',
  '/v1/complete',
  '/generate_stream',
  '/v4/ai/language-model',
])('%s may be an LLM call on a host of unknown kind', (path) => {
  const url = new URL(`http://localhost:3000${path}?api-version=1`)
  expect(isProviderPath('POST', url)).toBe(true)
  expect(isProviderPath('GET', url)).toBe(false)
})

test.each(['/messages', '/responses', '/v1/messages/7', '/v1/message', '/completions', '/'])(
  '%s is no LLM call on a host of unknown kind',
  (path) => {
    expect(isProviderPath('POST', new URL(`http://localhost:3000${path}`))).toBe(false)
  },
)
