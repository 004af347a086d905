import { expect, test } from 'vitest'
import { anthropicMessages } from '../../../src/providers/anthropic/anthropic-messages.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { sha256 } from '../../../src/prompt/sha256.ts'
import { messagesSample } from '../samples/anthropic-messages.ts'
import { PIXEL } from '../samples/sample.ts'
import { answer, named, requestTo, stream } from '../wire.ts'

const promptOf = (body: JsonObject) =>
  anthropicMessages.readPrompt(requestTo(messagesSample.url, body))
const read = (...content: JsonObject[]) => anthropicMessages.readCompletion(answer({ content }))

test('reads a whole conversation', () => {
  expect(promptOf(messagesSample.body)).toEqual({
    provider: 'anthropic',
    operation: 'chat',
    model: 'claude-sonnet-4-5',
    parameters: {
      max_tokens: 64,
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      output_config: messagesSample.body.output_config,
      tool_choice: { type: 'auto' },
    },
    messages: [
      {
        role: 'system',
        parts: [{ type: 'text', text: 'You plan picnics.' }],
        extra: { 'content[0].cache_control': { type: 'ephemeral' } },
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'blob', mimeType: 'image/png', hash: sha256(PIXEL), size: 70 },
          { type: 'uri', uri: 'https://example.com/lawn.jpg' },
          { type: 'blob', mimeType: 'application/pdf', hash: sha256('JVBERi0='), size: 5 },
          {
            type: 'other',
            value: {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'No fires.' },
            },
          },
          { type: 'other', value: { type: 'container_upload', file_id: 'file_1' } },
        ],
        extra: { 'content[3].type': 'document', 'content[3].title': 'Rules' },
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'A forecast would help.' },
          { type: 'other', value: { type: 'redacted_thinking', data: 'cmVk' } },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_call', id: 'toolu_1', name: 'weather', arguments: { city: 'Ulm' } },
          { type: 'tool_call', id: 'srvtoolu_1', name: 'web_search', arguments: { query: 'lawn' } },
          { type: 'tool_call_response', id: 'srvtoolu_1', result: [] },
        ],
        extra: {
          'content[0].signature': 'c2ln',
          'content[4].type': 'server_tool_use',
          'content[5].type': 'web_search_tool_result',
          'content[5].content': [],
        },
      },
      {
        role: 'user',
        parts: [
          { type: 'tool_call_response', id: 'toolu_1', result: 'sunny' },
          { type: 'text', text: 'And?' },
        ],
        extra: {
          'content[0].is_error': false,
          'content[1].cache_control': { type: 'ephemeral', ttl: '1h' },
        },
      },
    ],
    tools: [
      {
        name: 'weather',
        description: 'The weather.',
        parameters: expect.objectContaining({ type: 'object' }),
        extra: { strict: true },
      },
      { name: 'web_search', extra: { type: 'web_search_20250305', max_uses: 2 } },
    ],
  })
})

test('puts instructions first that are one text', () => {
  const messages = [{ role: 'user', content: 'Hi.' }]
  expect(promptOf({ system: 'Be brief.', messages })).toMatchObject({
    parameters: {},
    messages: [
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Hi.' }] },
    ],
  })
})

test('hashes the images of a tool result', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }
  const content = [{ type: 'tool_result', tool_use_id: 't1', content: [image] }]
  expect(promptOf({ messages: [{ role: 'user', content }] }).messages[0]!.parts).toEqual([
    {
      type: 'tool_call_response',
      id: 't1',
      result: [{ type: 'blob', mimeType: 'image/png', hash: sha256(PIXEL), size: 70 }],
    },
  ])
})

test('joins texts that a citation split, and sets apart what a tool came between', () => {
  const text = (words: string) => ({ type: 'text', text: words })
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } }
  expect(read(text('Let me look.'), search, text('It is '), text('dry.'))).toEqual({
    text: 'Let me look.\n\nIt is dry.',
    toolCalls: [{ id: 's1', name: 'web_search', arguments: { query: 'x' } }],
    finishReasons: [],
  })
})

test('counts cached tokens among the input tokens', () => {
  const usage = { input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: null }
  expect(anthropicMessages.readCompletion(answer({ content: [], usage })).usage).toEqual({
    inputTokens: 95,
    cacheReadInputTokens: 90,
  })
})

test('reads an error in the middle of a stream', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded.' } }
  const events = [...messagesSample.events!.slice(0, -7), ...named(error)]
  expect(anthropicMessages.readCompletion(stream(...events))).toMatchObject({
    text: 'It is dry. Bring a hat.',
    error: 'Overloaded.',
    incomplete: true,
  })
})

test('keeps the input of a call as text that was cut', () => {
  const events = messagesSample.events!.slice(0, -4)
  expect(anthropicMessages.readCompletion(stream(...events)).toolCalls).toEqual([
    { id: 'toolu_2', name: 'weather', arguments: '{"city":' },
  ])
})
