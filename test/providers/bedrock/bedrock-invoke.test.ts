import { expect, test } from 'vitest'
import { bedrockInvoke } from '../../../src/providers/bedrock/bedrock-invoke.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { answer, chunks, frames, requestTo, streamOfFrames } from '../wire.ts'

const urlOf = (model: string) =>
  `https://bedrock-runtime.us-east-1.amazonaws.com/model/${model}/invoke`
const promptOf = (model: string, body: JsonObject) =>
  bedrockInvoke.readPrompt(requestTo(urlOf(model), body))
const read = (body: JsonObject) => bedrockInvoke.readCompletion(answer(body))
const readStream = (...values: JsonObject[]) =>
  bedrockInvoke.readCompletion(streamOfFrames(...chunks(...values)))

const SAID = { role: 'user', parts: [{ type: 'text', text: 'Dry?' }] }

test.each<[string, string, JsonObject]>([
  [
    'anthropic.claude-v3',
    'chat',
    { messages: [{ role: 'user', content: 'Dry?' }], anthropic_version: 'x' },
  ],
  ['amazon.nova-lite', 'chat', { messages: [{ role: 'user', content: [{ text: 'Dry?' }] }] }],
  ['mistral.pixtral', 'chat', { messages: [{ role: 'user', content: 'Dry?' }] }],
  ['meta.llama3', 'text_completion', { prompt: 'Dry?' }],
  ['amazon.titan-text', 'text_completion', { inputText: 'Dry?' }],
  ['amazon.titan-embed-text', 'embeddings', { inputText: 'Dry?' }],
  ['cohere.embed-v3', 'embeddings', { texts: ['Dry?'] }],
])('reads what %s is asked', (model, operation, body) => {
  expect(promptOf(model, { ...body, top_p: 1 })).toMatchObject({
    provider: 'aws.bedrock',
    operation,
    model,
    messages: [SAID],
    parameters: { top_p: 1 },
  })
})

test('keeps a model that the body names too', () => {
  const messages = [{ role: 'user', content: 'Dry?' }]
  expect(promptOf('openai.gpt-oss', { model: 'other', messages })).toMatchObject({
    model: 'openai.gpt-oss',
    parameters: { model: 'other' },
  })
})

test.each<[string, JsonObject, string]>([
  [
    'Llama',
    { generation: 'Dry.', stop_reason: 'stop', prompt_token_count: 4, generation_token_count: 2 },
    'stop',
  ],
  [
    'Titan',
    {
      inputTextTokenCount: 4,
      results: [{ tokenCount: 2, outputText: 'Dry.', completionReason: 'FINISH' }],
    },
    'FINISH',
  ],
])('reads what %s answers', (_, body, reason) => {
  expect(read(body)).toEqual({
    text: 'Dry.',
    toolCalls: [],
    finishReasons: [reason],
    usage: { inputTokens: 4, outputTokens: 2 },
  })
})

test.each<[string, JsonObject]>([
  ['Claude before its messages', { completion: 'Dry.', stop_reason: 'end' }],
  ['Mistral', { outputs: [{ text: 'Dry.', stop_reason: 'end' }] }],
  ['Cohere', { generations: [{ text: 'Dry.', finish_reason: 'end' }] }],
  ['AI21', { completions: [{ data: { text: 'Dry.' }, finishReason: { reason: 'end' } }] }],
  [
    'a model that speaks chat completions',
    { choices: [{ message: { content: 'Dry.' }, finish_reason: 'end' }] },
  ],
  ['Nova', { output: { message: { content: [{ text: 'Dry.' }] } }, stopReason: 'end' }],
  ['Claude', { type: 'message', content: [{ type: 'text', text: 'Dry.' }], stop_reason: 'end' }],
])('reads what %s answers', (_, body) => {
  expect(read(body)).toEqual({ text: 'Dry.', toolCalls: [], finishReasons: ['end'] })
})

test.each<[string, JsonObject]>([
  ['one', { embedding: [1, 2, 3], inputTextTokenCount: 4 }],
  ['a list', { embeddings: [[1, 2, 3]] }],
  ['lists by type', { embeddings: { float: [[1, 2, 3]] } }],
])('counts embeddings that come as %s', (_, body) => {
  expect(read(body).text).toBe('1 embedding of 3 dimensions')
})

test.each<[string, JsonObject[]]>([
  ['Llama', [{ generation: 'It is ' }, { generation: 'dry.', stop_reason: 'end' }]],
  ['Cohere', [{ text: 'It is ', index: 0 }, { text: 'dry.', index: 0 }, { finish_reason: 'end' }]],
  [
    'Mistral',
    [{ outputs: [{ text: 'It is ' }] }, { outputs: [{ text: 'dry.', stop_reason: 'end' }] }],
  ],
  [
    'Nova',
    [
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: { delta: { text: 'It is ' }, contentBlockIndex: 0 } },
      { contentBlockDelta: { delta: { text: 'dry.' }, contentBlockIndex: 0 } },
      { messageStop: { stopReason: 'end' } },
    ],
  ],
  [
    'a model that speaks chat completions',
    [
      { choices: [{ index: 0, delta: { content: 'It is ' } }] },
      { choices: [{ index: 0, delta: { content: 'dry.' }, finish_reason: 'end' }] },
    ],
  ],
])('joins the stream of %s', (_, events) => {
  expect(readStream(...events)).toEqual({
    text: 'It is dry.',
    toolCalls: [],
    finishReasons: ['end'],
  })
  expect(readStream(...events.slice(0, -1))).toMatchObject({ incomplete: true })
})

test('opens a chunk that is closed in the cassette', () => {
  const bytes = Buffer.from('{"generation": "Dry.", "stop_reason": "end"}').toString('base64')
  const sent = streamOfFrames(...frames(['chunk', { bytes, p: 'ab' }]))
  expect(bedrockInvoke.readCompletion(sent)).toMatchObject({ text: 'Dry.', finishReasons: ['end'] })
})
