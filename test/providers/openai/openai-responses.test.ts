import { expect, test } from 'vitest'
import { openaiResponses } from '../../../src/providers/openai/openai-responses.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { sha256 } from '../../../src/prompt/sha256.ts'
import { responsesSample } from '../samples/openai-responses.ts'
import { PIXEL } from '../samples/sample.ts'
import { answer, named, requestTo, stream } from '../wire.ts'

const promptOf = (body: JsonObject) =>
  openaiResponses.readPrompt(requestTo(responsesSample.url, body))
const messagesOf = (...input: JsonValue[]) => promptOf({ model: 'gpt', input }).messages

test('reads a whole conversation', () => {
  expect(promptOf(responsesSample.body)).toEqual({
    provider: 'openai',
    operation: 'chat',
    model: 'gpt-5-mini',
    parameters: {
      max_output_tokens: 64,
      stream: true,
      store: false,
      reasoning: { effort: 'low' },
      text: responsesSample.body.text,
    },
    messages: [
      { role: 'system', parts: [{ type: 'text', text: 'You plan picnics.' }] },
      { role: 'developer', parts: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'blob', mimeType: 'image/png', hash: sha256(PIXEL), size: 70 },
          { type: 'uri', uri: 'https://example.com/lawn.pdf' },
          { type: 'other', value: { type: 'input_file', file_id: 'file_1' } },
        ],
        extra: { 'content[1].detail': 'low' },
      },
      {
        role: 'assistant',
        parts: [{ type: 'reasoning', text: 'A forecast would help.' }],
        extra: { id: 'rs_0', encrypted_content: 'gAAAA' },
      },
      {
        role: 'assistant',
        parts: [{ type: 'text', text: 'Let me look.' }],
        extra: { 'content[0].annotations': [], id: 'msg_0', status: 'completed' },
      },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Ulm' } }],
        extra: { id: 'fc_0' },
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', result: 'sunny' }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', name: 'web_search', arguments: { query: 'lawn' } }],
        extra: { id: 'ws_0', status: 'completed' },
      },
      {
        role: 'assistant',
        parts: [{ type: 'other', value: { type: 'item_reference', id: 'msg_9' } }],
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

test('reads an input that is one text', () => {
  expect(promptOf({ model: 'gpt', input: 'Hi.' })).toMatchObject({
    parameters: {},
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
  })
})

test('reads calls and outputs of every kind of tool', () => {
  const shot = { type: 'computer_screenshot', image_url: `data:image/png;base64,${PIXEL}` }
  const parts = messagesOf(
    { type: 'custom_tool_call', call_id: 'c1', name: 'shell', input: 'ls' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'a.txt' },
    { type: 'computer_call', call_id: 'c2', action: { type: 'screenshot' } },
    { type: 'computer_call_output', call_id: 'c2', output: shot },
    { type: 'mcp_call', name: 'roll', arguments: '{"d":6}', server_label: 'dice', output: '4' },
  )
  expect(parts).toEqual([
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c1', name: 'shell', arguments: 'ls' }],
      extra: { type: 'custom_tool_call' },
    },
    {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: 'c1', result: 'a.txt' }],
      extra: { type: 'custom_tool_call_output' },
    },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c2', name: 'computer', arguments: { type: 'screenshot' } }],
    },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool_call_response',
          id: 'c2',
          result: { type: 'blob', mimeType: 'image/png', hash: sha256(PIXEL), size: 70 },
        },
      ],
      extra: { type: 'computer_call_output' },
    },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', name: 'roll', arguments: { d: 6 } }],
      extra: { type: 'mcp_call', server_label: 'dice', output: '4' },
    },
  ])
})

test('reads a refusal as text', () => {
  const output = [
    { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
  ]
  expect(openaiResponses.readCompletion(answer({ status: 'completed', output })).text).toBe('No.')
  const cut = named(
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'message', content: [] },
    },
    { type: 'response.refusal.delta', output_index: 0, delta: 'No.' },
  )
  expect(openaiResponses.readCompletion(stream(...cut))).toMatchObject({
    text: 'No.',
    incomplete: true,
  })
})

test('sets the texts of several messages apart', () => {
  const say = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] })
  const output = [say('Let me look.'), { type: 'web_search_call', action: {} }, say('Dry.')]
  expect(openaiResponses.readCompletion(answer({ output })).text).toBe('Let me look.\n\nDry.')
})

test('puts a response together from its deltas where it ends without output', () => {
  const events = responsesSample.events!.slice(0, -1)
  const end = { type: 'response.completed', response: { status: 'completed', output: [] } }
  const { usage: _, ...completion } = responsesSample.completion
  expect(openaiResponses.readCompletion(stream(...events, ...named(end)))).toEqual(completion)
})

test('believes a finished item more than its deltas', () => {
  const message = { type: 'message', content: [{ type: 'output_text', text: 'It is dry.' }] }
  const events = named(
    { type: 'response.output_text.delta', output_index: 0, delta: 'It ' },
    { type: 'response.output_item.done', output_index: 0, item: message },
  )
  expect(openaiResponses.readCompletion(stream(...events))).toMatchObject({ text: 'It is dry.' })
})

test('gives the reason for which a response is not completed', () => {
  const response = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  const expected = { text: '', toolCalls: [], finishReasons: ['max_output_tokens'] }
  expect(openaiResponses.readCompletion(answer({ ...response, output: [] }))).toEqual(expected)
  const end = { type: 'response.incomplete', response }
  expect(openaiResponses.readCompletion(stream(...named(end)))).toEqual(expected)
})

test('reads a failed response and an error in the middle of a stream', () => {
  const error = { code: 'server_error', message: 'Down.' }
  const failed = { type: 'response.failed', response: { status: 'failed', error, output: [] } }
  expect(openaiResponses.readCompletion(stream(...named(failed)))).toEqual({
    text: '',
    toolCalls: [],
    finishReasons: ['failed'],
    error: 'Down.',
  })
  const broken = { type: 'error', code: 'server_error', message: 'Down.' }
  expect(openaiResponses.readCompletion(stream(...named(broken)))).toMatchObject({
    error: 'Down.',
    incomplete: true,
  })
})

test('does not call a response incomplete that goes on in the background', () => {
  expect(openaiResponses.readCompletion(answer({ status: 'queued', output: [] }))).toEqual({
    text: '',
    toolCalls: [],
    finishReasons: ['queued'],
  })
})
