import { expect, test } from 'vitest'
import { openaiChat } from '../../../src/providers/openai/openai-chat.ts'
import { parseJson, type JsonObject } from '../../../src/json/json-value.ts'
import { sha256 } from '../../../src/prompt/sha256.ts'
import { chatSample } from '../samples/openai-chat.ts'
import { PIXEL } from '../samples/sample.ts'
import { answer, data, DONE, requestTo, stream } from '../wire.ts'

const url = chatSample.url
const promptOf = (body: JsonObject) => openaiChat.readPrompt(requestTo(url, body))
const messagesOf = (...messages: JsonObject[]) => promptOf({ messages }).messages
const completionOf = (message: JsonObject, reason = 'stop') =>
  openaiChat.readCompletion(answer({ choices: [{ index: 0, message, finish_reason: reason }] }))
const chunk = (delta: JsonObject, rest: JsonObject = {}) => ({
  choices: [{ index: 0, delta, ...rest }],
})
const STOP = chunk({}, { finish_reason: 'stop' })

test('reads a whole conversation', () => {
  expect(promptOf(chatSample.body)).toEqual({
    provider: 'openai',
    operation: 'chat',
    model: 'gpt-4o-mini',
    parameters: {
      temperature: 0,
      max_completion_tokens: 64,
      stream: true,
      stream_options: { include_usage: true },
      response_format: chatSample.body.response_format,
      tool_choice: 'auto',
    },
    messages: [
      {
        role: 'system',
        parts: [{ type: 'text', text: 'You plan picnics.' }],
        extra: { cache_control: { type: 'ephemeral' } },
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'blob', mimeType: 'image/png', hash: sha256(PIXEL), size: 70 },
          { type: 'uri', uri: 'https://example.com/lawn.jpg' },
          { type: 'blob', mimeType: 'audio/wav', hash: sha256('UklGRiQA'), size: 6 },
          { type: 'blob', mimeType: 'application/pdf', hash: sha256('JVBERi0='), size: 5 },
          { type: 'other', value: { type: 'hologram', beams: 3 } },
        ],
        extra: {
          name: 'ada',
          'content[0].cache_control': { type: 'ephemeral' },
          'content[1].image_url.detail': 'low',
          'content[4].file.filename': 'a.pdf',
        },
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'A forecast would help.' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Ulm' } },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'call_1', result: 'sunny' }],
      },
    ],
    tools: [
      {
        name: 'weather',
        description: 'The weather.',
        parameters: expect.objectContaining({ type: 'object' }),
        extra: { strict: true },
      },
      { name: 'web_search', extra: { search_context_size: 'low' } },
    ],
  })
})

test('reads older and custom calls, and arguments that are no JSON', () => {
  const [assistant, result] = messagesOf(
    {
      role: 'assistant',
      content: null,
      function_call: { name: 'old', arguments: '{"a":1}' },
      tool_calls: [
        { id: 'c1', type: 'custom', custom: { name: 'shell', input: 'ls' } },
        { id: 'c2', type: 'function', function: { name: 'broken', arguments: '{"a":' } },
        { id: 'c3', type: 'magic' },
      ],
    },
    { role: 'function', name: 'old', content: 'done' },
  )
  expect(assistant).toEqual({
    role: 'assistant',
    parts: [
      { type: 'tool_call', id: 'c1', name: 'shell', arguments: 'ls' },
      { type: 'tool_call', id: 'c2', name: 'broken', arguments: '{"a":' },
      { type: 'other', value: { id: 'c3', type: 'magic' } },
      { type: 'tool_call', name: 'old', arguments: { a: 1 } },
    ],
    extra: { content: null, 'tool_calls[0].type': 'custom' },
  })
  expect(result).toEqual({
    role: 'function',
    parts: [{ type: 'tool_call_response', result: 'done' }],
    extra: { name: 'old' },
  })
})

test('keeps the shape of a tool result, but not the bytes of its images', () => {
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }
  const results = messagesOf(
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'sunny' }] },
    { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'look' }, image] },
  )
  expect(results.flatMap(({ parts }) => parts)).toEqual([
    { type: 'tool_call_response', id: 'c1', result: 'sunny' },
    {
      type: 'tool_call_response',
      id: 'c2',
      result: [
        { type: 'text', text: 'look' },
        { type: 'blob', mimeType: 'image/png', hash: sha256(PIXEL), size: 70 },
      ],
    },
  ])
})

test('keeps a model, messages and tools that are none as parameters', () => {
  const odd = { model: null, messages: 'hi', tools: [] }
  expect(promptOf(odd)).toMatchObject({ parameters: odd, messages: [], tools: [] })
  expect(promptOf(odd)).not.toHaveProperty('model')
})

test('reads what was refused, spoken, or said in parts', () => {
  expect(completionOf({ content: null, refusal: 'No.' })).toMatchObject({ text: 'No.' })
  expect(completionOf({ content: null, audio: { data: 'UklG', transcript: 'Hi.' } }).text).toBe(
    'Hi.',
  )
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
  expect(completionOf({ content: [thinking, { type: 'text', text: 'Hi.' }] })).toMatchObject({
    text: 'Hi.',
    reasoning: 'Hm.',
  })
})

test.each([
  [{ reasoning_content: 'Hm.' }],
  [{ reasoning: 'Hm.' }],
  [{ reasoning: 'Hm.', reasoning_content: 'Hm.' }],
  [{ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }],
  [{ reasoning: null, reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm.' }] }],
])('reads the reasoning of %j once, plain and streamed', (thought) => {
  expect(completionOf({ content: 'Hi.', ...thought }).reasoning).toBe('Hm.')
  const streamed = stream(...data(chunk(thought), chunk({ content: 'Hi.' }), STOP), DONE)
  expect(openaiChat.readCompletion(streamed).reasoning).toBe('Hm.')
})

test('reads the text of the first choice and the finish reasons of all', () => {
  const choices = [
    { index: 0, message: { content: 'One.' }, finish_reason: 'stop' },
    { index: 1, message: { content: 'Two.' }, finish_reason: 'length' },
  ]
  const expected = { text: 'One.', toolCalls: [], finishReasons: ['stop', 'length'] }
  expect(openaiChat.readCompletion(answer({ choices }))).toEqual(expected)
  const choice = (index: number, delta: JsonObject, reason: string | null) => ({
    choices: [{ index, delta, finish_reason: reason }],
  })
  const events = data(
    choice(1, { content: 'Two.' }, null),
    choice(0, { content: 'One.' }, 'stop'),
    choice(1, {}, 'length'),
  )
  expect(openaiChat.readCompletion(stream(...events))).toEqual(expected)
  expect(openaiChat.readCompletion(stream(...events.slice(0, 2)))).toMatchObject({
    incomplete: true,
  })
})

test('reads usage under the names that other providers gave it', () => {
  const usageOf = (usage: JsonObject) =>
    openaiChat.readCompletion(answer({ choices: [], usage })).usage
  expect(usageOf({ prompt_tokens: 9, completion_tokens: 2, prompt_cache_hit_tokens: 4 })).toEqual({
    inputTokens: 9,
    outputTokens: 2,
    cacheReadInputTokens: 4,
  })
  expect(usageOf({ prompt_tokens: 9, cached_tokens: 4, reasoning_tokens: 1 })).toEqual({
    inputTokens: 9,
    cacheReadInputTokens: 4,
    reasoningOutputTokens: 1,
  })
  expect(usageOf({ prompt_tokens: 'many' })).toBeUndefined()
})

test('reads usage that is spelled as 7.0, or sent beside the answer', () => {
  const body = {
    kind: 'json',
    layout: {},
    value: parseJson('{"usage":{"prompt_tokens":7.0}}'),
  } as const
  expect(openaiChat.readCompletion({ status: 200, headers: {}, body }).usage).toEqual({
    inputTokens: 7,
  })
  const groq = { ...STOP, x_groq: { usage: { prompt_tokens: 7, completion_tokens: 1 } } }
  expect(openaiChat.readCompletion(stream(...data(groq))).usage).toEqual({
    inputTokens: 7,
    outputTokens: 1,
  })
})

test('is complete with a finish reason or with the last event', () => {
  const whole = (...events: string[]) => !openaiChat.readCompletion(stream(...events)).incomplete
  const hello = data(chunk({ content: 'Hi.' }))
  expect(whole(...hello)).toBe(false)
  expect(whole(...hello, ...data(STOP))).toBe(true)
  expect(whole(...hello, DONE)).toBe(true)
})

test('reads an error in the middle of a stream', () => {
  const events = data(chunk({ content: 'Hi' }), { error: { message: 'Overloaded.' } })
  expect(openaiChat.readCompletion(stream(...events))).toEqual({
    text: 'Hi',
    toolCalls: [],
    finishReasons: [],
    error: 'Overloaded.',
    incomplete: true,
  })
  const failed = { choices: [{ index: 0, message: { content: '' }, error: { message: 'Down.' } }] }
  expect(openaiChat.readCompletion(answer(failed)).error).toBe('Down.')
})
