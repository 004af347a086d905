import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { describeTurns, type Turn } from '../../src/recording/describe.ts'
import { mayBeOdd } from '../../src/recording/may-be-odd.ts'
import { findOdd, oddityOf } from '../../src/recording/odd-answers.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { WireResponse } from '../../src/wire/message.ts'

type Told = [status: number, type: string, text: string, more?: Partial<WireResponse>]

/** The requests of some wire formats. */
const messages = [{ role: 'user', content: 'a' }]
const ASKED: Record<string, [url: string, body: object]> = {
  chat: ['https://api.openai.com/v1/chat/completions', { messages }],
  responses: ['https://api.openai.com/v1/responses', { input: 'a' }],
  messages: ['https://api.anthropic.com/v1/messages', { max_tokens: 9, messages }],
  gemini: [
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'a' }] }] },
  ],
  ollama: ['http://127.0.0.1:11434/api/chat', { messages }],
  cohere: ['https://api.cohere.com/v2/chat', { messages }],
  bedrock: [
    'https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b/converse',
    { messages: [{ role: 'user', content: [{ text: 'a' }] }] },
  ],
  embeddings: ['https://api.openai.com/v1/embeddings', { input: 'a' }],
}

function turn(name: string, [status, type, text, more]: Told, model = 'm'): Turn {
  const [url, body] = ASKED[name]!
  const asked = Buffer.from(JSON.stringify({ model, ...body }))
  const incoming = readIncoming({
    method: 'POST',
    url,
    body: readBody(asked, 'application/json'),
  })
  const response = {
    status,
    headers: { 'content-type': type },
    body: readBody(Buffer.from(text), type),
    ...more,
  }
  return { incoming, response }
}

function cassette(...turns: Turn[]): Cassette {
  return { conversationId: 'a', timestamp: '', exchanges: describeTurns(turns) }
}

const GOOD: Told = [
  200,
  'application/json',
  '{"choices":[{"index":0,"message":{"content":"Yes."},"finish_reason":"stop"}]}',
]
const PAGE: Told = [200, 'text/html', '<!doctype html><title>Sign in</title>']
const MISSING: Told = [404, 'application/json', '{"error":{"message":"No model"}}']
const HALF: [number, string, string] = [
  200,
  'text/event-stream',
  'data: {"choices":[{"index":0,"delta":{"content":"Half"},"finish_reason":null}]}\n\n',
]

test.each(Object.keys(ASKED))('a page is no answer of a model: %s', (name) => {
  const [exchange] = describeTurns([turn(name, PAGE)])
  expect(oddityOf(exchange!)).toEqual({ kind: 'foreign', what: 'text/html' })
})

test.each(Object.keys(ASKED).filter((name) => name !== 'embeddings'))(
  'nor is the JSON of another API: %s',
  (name) => {
    const [exchange] = describeTurns([turn(name, [200, 'application/json', '{"ok":true}'])])
    expect(oddityOf(exchange!)).toEqual({ kind: 'foreign', what: 'application/json' })
  },
)

test.each<[what: string, Told, kind: string | undefined]>([
  ['a good answer', GOOD, undefined],
  ['an error', MISSING, 'error'],
  [
    'an error in a stream',
    [200, 'text/event-stream', 'data: {"error":{"message":"Busy"}}\n\n'],
    'error',
  ],
  ['a stream that ends early', HALF, 'broken'],
  ['a stream that breaks', [...HALF, { cut: true }], 'broken'],
  ['a stream left by the application', [...HALF, { aborted: 1 }], undefined],
  ['nothing', [204, '', '', { body: { kind: 'empty' } }], undefined],
  ['a redirect', [307, 'text/html', '<a href="/">Moved</a>'], undefined],
])('what is odd about %s', (_, told, kind) => {
  const [exchange] = describeTurns([turn('chat', told)])
  expect(oddityOf(exchange!)?.kind).toBe(kind)
  if (kind) expect(mayBeOdd(exchange!)).toBe(true)
  expect(mayBeOdd(describeTurns([turn('chat', GOOD)])[0]!)).toBe(false)
})

test('what is recorded for the first time, or beside as many good answers, replaces none', () => {
  const odd = [turn('chat', MISSING, 'x'), turn('chat', PAGE, 'y')]
  expect(findOdd(cassette(...odd), undefined)).toMatchObject({ replacing: [], beside: [{}, {}] })
  const beside = findOdd(cassette(turn('chat', GOOD), ...odd), cassette(turn('chat', GOOD)))
  expect(beside).toMatchObject({ replacing: [], beside: [{}, {}] })
})

test.each([
  ['the same prompt', 'm'],
  ['another prompt', 'x'],
])('an error in the place of the answer to %s replaces it', (_, model) => {
  const { replacing, beside } = findOdd(
    cassette(turn('chat', MISSING, model)),
    cassette(turn('chat', GOOD)),
  )
  expect(beside).toEqual([])
  expect(replacing).toMatchObject([{ kind: 'error', what: '404 No model' }])
})

test('an error to a prompt that was answered replaces it, whatever is added', () => {
  const fresh = cassette(turn('chat', MISSING), turn('chat', GOOD, 'x'))
  expect(findOdd(fresh, cassette(turn('chat', GOOD))).replacing).toHaveLength(1)
})

test('each that was recorded before may be recorded again, in other words too', () => {
  const other: Told = [404, 'application/json', '{"error":{"message":"Not here"}}']
  const before = cassette(turn('chat', MISSING), turn('chat', GOOD, 'x'))
  expect(findOdd(cassette(turn('chat', other), turn('chat', GOOD, 'x')), before)).toEqual({
    replacing: [],
    beside: [],
  })
  const twice = findOdd(cassette(turn('chat', other), turn('chat', other, 'x')), before)
  expect(twice.replacing).toHaveLength(1)
})
