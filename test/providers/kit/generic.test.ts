import { expect, test } from 'vitest'
import { generic } from '../../../src/providers/kit/generic.ts'
import type { Body } from '../../../src/wire/body.ts'
import { sha256 } from '../../../src/prompt/sha256.ts'
import type { FormPart } from '../../../src/wire/form-data.ts'
import { answer, requestTo, stream } from '../wire.ts'

const URL = 'https://llm.example.com/v1/models/big:generateContent?alt=sse'
const user = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] })

test('reads what obviously is said and keeps everything else as parameters', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi.' },
  ]
  const body = { model: 'big', messages, prompt: 'Go.', input: { seed: 1 }, tools: [{ name: 'x' }] }
  expect(generic.readPrompt(requestTo(URL, body))).toEqual({
    provider: 'llm.example.com',
    operation: 'generateContent',
    model: 'big',
    parameters: { input: { seed: 1 }, tools: [{ name: 'x' }] },
    messages: [
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      user('Hi.'),
      user('Go.'),
    ],
    tools: [],
  })
})

test('reads several prompts, and prompts that are tokens', () => {
  const said = (prompt: unknown) => generic.readPrompt(requestTo(URL, { prompt })).messages
  expect(said(['One.', 'Two.'])).toEqual([user('One.'), user('Two.')])
  expect(said([1, 2])).toEqual([{ role: 'user', parts: [{ type: 'other', value: [1, 2] }] }])
})

test('takes a body without fields as the prompt', () => {
  const said = (body: Body) => generic.readPrompt({ method: 'POST', url: URL, body }).messages
  expect(said({ kind: 'empty' })).toEqual([])
  expect(said({ kind: 'text', text: 'Hi.' })).toEqual([user('Hi.')])
  expect(said({ kind: 'json', value: [1], layout: {} })).toEqual([
    { role: 'user', parts: [{ type: 'other', value: [1] }] },
  ])
  expect(said({ kind: 'bytes', bytes: Uint8Array.of(255, 254) })).toEqual([
    { role: 'user', parts: [{ type: 'blob', hash: sha256('//4='), size: 2 }] },
  ])
})

test('shows the start of a long answer', () => {
  const { text } = generic.readCompletion(answer(`<p>${'x'.repeat(9_000)}`))
  expect(text).toBe(`<p>${'x'.repeat(3_997)}…`)
})

test('says how long an answer is that cannot be read', () => {
  const body: Body = { kind: 'bytes', bytes: Uint8Array.of(255, 254) }
  const headers = { 'content-type': 'audio/mpeg; rate=1' }
  expect(generic.readCompletion({ status: 200, headers, body })).toEqual({
    text: '2 bytes of audio/mpeg',
    toolCalls: [],
    finishReasons: [],
  })
  expect(generic.readCompletion({ status: 200, headers: {}, body }).text).toBe('2 bytes')
})

test('does not guess whether a text or a stream is whole', () => {
  expect(generic.readCompletion(answer('Hi.')).incomplete).toBeUndefined()
  expect(generic.readCompletion(stream('data: {}\n\n')).incomplete).toBeUndefined()
  expect(generic.readCompletion({ ...answer('Hi.'), cut: true }).incomplete).toBe(true)
})

test('takes an empty answer as whole', () => {
  const headers = { 'content-type': 'application/json' }
  const response = { status: 204, headers, body: { kind: 'empty' } as const }
  expect(generic.readCompletion(response)).toEqual({ text: '', toolCalls: [], finishReasons: [] })
})

test('reads a form: its fields as parameters, its files as messages', () => {
  const base64 = Buffer.from('ID3').toString('base64')
  const parts: FormPart[] = [
    { name: 'file', filename: 'a.mp3', type: 'audio/mpeg', base64 },
    { name: 'model', text: 'whisper-1' },
    { name: 'include[]', text: 'logprobs' },
    { name: 'include[]', text: 'words' },
    { name: 'prompt', text: 'Names: Ulm.' },
    { name: 'batch', filename: 'b.jsonl', type: 'application/jsonl', text: '{}\n{}' },
  ]
  const url = 'https://api.openai.com/v1/audio/transcriptions'
  expect(generic.readPrompt({ method: 'POST', url, body: { kind: 'form', parts } })).toEqual({
    provider: 'openai',
    operation: 'transcriptions',
    model: 'whisper-1',
    parameters: { 'include[]': ['logprobs', 'words'] },
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'Names: Ulm.' }] },
      {
        role: 'user',
        parts: [{ type: 'blob', mimeType: 'audio/mpeg', hash: sha256(base64), size: 3 }],
        extra: { name: 'file', filename: 'a.mp3' },
      },
      {
        role: 'user',
        parts: [{ type: 'text', text: '{}\n{}' }],
        extra: { name: 'batch', filename: 'b.jsonl', type: 'application/jsonl' },
      },
    ],
    tools: [],
  })
})

test('shows what was heard, and how large a picture is', () => {
  const heard = { text: 'Hello.', usage: { type: 'tokens', input_tokens: 9, output_tokens: 2 } }
  expect(generic.readCompletion(answer(heard))).toMatchObject({
    text: 'Hello.',
    usage: { inputTokens: 9, outputTokens: 2 },
  })
  const drawn = { data: [{ b64_json: Buffer.alloc(3_000).toString('base64') }] }
  expect(generic.readCompletion(answer(drawn)).text).toBe('{"data":[{"b64_json":"[3000 bytes]"}]}')
})
