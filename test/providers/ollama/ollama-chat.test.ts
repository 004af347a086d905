import { expect, test } from 'vitest'
import { dialectOf } from '../../../src/providers/dialects.ts'
import { ollamaDialects } from '../../../src/providers/ollama/dialects.ts'
import type { Completion } from '../../../src/prompt/completion.ts'
import { answer, jsonLines, requestTo, streamOfLines } from '../wire.ts'
import type { Dialect } from '../../../src/providers/dialect.ts'

const [ollamaChat] = ollamaDialects as [Dialect]

const OLLAMA = 'http://127.0.0.1:11434'
const messages = [{ role: 'user', content: 'Hi.' }]
const dialectAt = (url: string, body: object) => dialectOf(requestTo(url, body)).name

test.each([
  [`${OLLAMA}/api/chat`, { model: 'qwen3', messages }],
  ['https://ollama.com/api/chat', { model: 'qwen3', messages }],
  ['http://gpu.example.com/api/chat', { model: 'qwen3', messages, stream: false }],
  ['http://gpu.example.com/api/generate', { model: 'qwen3', prompt: 'Hi.', stream: true }],
])('is spoken at %s with %j', (url, body) => {
  expect(dialectAt(url, body)).toBe('ollama-chat')
})

test.each([
  ['/api/chat', { messages }],
  ['/api/chat', { model: 'gpt-5', messages }],
  ['/api/chat', { model: 'gpt-5', stream: true, messages: [{ role: 'user', parts: [] }] }],
  ['/api/chat', { model: 'gpt-5', stream: true, messages: [] }],
  ['/api/generate', { prompt: 'Hi.', stream: true }],
  ['/api/embed', { model: 'small', input: 'Hi.', userId: 7 }],
  ['/api/embeddings', { model: 'small', prompt: 'Hi.', userId: 7 }],
])('leaves a web application its own %s with %j', (path, body) => {
  expect(dialectAt(`http://localhost:3000${path}`, body)).toBe('generic')
})

test('reads a stream whose content type was lost', () => {
  const lines = jsonLines(
    { message: { content: 'It is ' }, done: false },
    { message: { content: 'dry.' }, done: true, done_reason: 'stop' },
  )
  const said: Completion = { text: 'It is dry.', toolCalls: [], finishReasons: ['stop'] }
  expect(ollamaChat.readCompletion(answer(lines.join('')))).toEqual(said)
  expect(ollamaChat.readCompletion(answer(lines[0] + '{"message":{"con'))).toMatchObject({
    text: 'It is ',
    incomplete: true,
  })
})

test('reads a thought under the name that imitators give it', () => {
  const message = { content: 'Dry.', reasoning_content: 'Sunny.' }
  const read = { text: 'Dry.', reasoning: 'Sunny.' }
  expect(ollamaChat.readCompletion(answer({ message, done: true }))).toMatchObject(read)
  const lines = jsonLines({ message, done: false }, { message: {}, done: true })
  expect(ollamaChat.readCompletion(streamOfLines(...lines))).toMatchObject(read)
})

test('streams what it writes unless it is told not to', () => {
  const said: Completion = { text: 'It is dry.', toolCalls: [], finishReasons: ['stop'] }
  const kindOf = (body: object) =>
    ollamaChat.writeCompletion!(said, requestTo(`${OLLAMA}/api/chat`, body)).body.kind
  expect(kindOf({ model: 'qwen3', messages })).toBe('lines')
  expect(kindOf({ model: 'qwen3', messages, stream: false })).toBe('json')
})

test('says an error as the text that its client expects', () => {
  const failed: Completion = { text: '', toolCalls: [], finishReasons: [], error: 'Down.' }
  const request = requestTo(`${OLLAMA}/api/chat`, { model: 'qwen3', messages })
  const { status, body } = ollamaChat.writeCompletion!(failed, request)
  expect(status).toBe(400)
  expect(body).toMatchObject({ value: { error: 'Down.' } })
})

test('a picture has the type that its first bytes tell', () => {
  const images = ['iVBORw0KGgoAAAA=', '/9j/4AAQ', 'AAAA']
  const body = { model: 'llava', stream: false, messages: [{ role: 'user', content: '', images }] }
  const request = requestTo('http://localhost:11434/api/chat', body)
  const { parts } = ollamaChat.readPrompt(request).messages[0]!
  expect(parts.map((part) => (part.type === 'blob' ? part.mimeType : part.type))).toEqual([
    'text',
    'image/png',
    'image/jpeg',
    undefined,
  ])
})
