import type { JsonObject } from '../../../src/json/json-value.ts'
import { named } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

/** A picnic, planned over Anthropic's messages. */
export const messagesSample: Sample = {
  dialect: 'anthropic-messages',
  url: 'https://api.anthropic.com/v1/messages',
  body: {
    model: 'claude-sonnet-4-5',
    max_tokens: 64,
    stream: true,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    output_config: { format: { type: 'json_schema', schema: WEATHER } },
    system: [{ type: 'text', text: 'You plan picnics.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/lawn.jpg' } },
          {
            type: 'document',
            title: 'Rules',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
          },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'No fires.' },
          },
          { type: 'container_upload', file_id: 'file_1' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A forecast would help.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'cmVk' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Ulm' } },
          {
            type: 'server_tool_use',
            id: 'srvtoolu_1',
            name: 'web_search',
            input: { query: 'lawn' },
          },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny', is_error: false },
          { type: 'text', text: 'And?', cache_control: { type: 'ephemeral', ttl: '1h' } },
        ],
      },
    ],
    tools: [
      { name: 'weather', description: 'The weather.', input_schema: WEATHER, strict: true },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
    ],
    tool_choice: { type: 'auto' },
  },
  plain: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Sunny means dry.', signature: 'c2ln' },
      { type: 'text', text: 'It is dry. ' },
      { type: 'text', text: 'Bring a hat.' },
      { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Ulm' } },
      { type: 'tool_use', id: 'toolu_3', name: 'now', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 12,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 8,
      output_tokens: 40,
    },
  },
  events: named(
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [],
        stop_reason: null,
        usage: {
          input_tokens: 12,
          cache_read_input_tokens: 100,
          cache_creation_input_tokens: 8,
          output_tokens: 1,
        },
      },
    },
    block(0, { type: 'thinking', thinking: '', signature: '' }),
    { type: 'ping' },
    delta(0, { type: 'thinking_delta', thinking: 'Sunny ' }),
    delta(0, { type: 'thinking_delta', thinking: 'means dry.' }),
    delta(0, { type: 'signature_delta', signature: 'c2ln' }),
    { type: 'content_block_stop', index: 0 },
    block(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'It is dry. ' }),
    block(2, { type: 'text', text: '' }),
    delta(2, { type: 'text_delta', text: 'Bring a hat.' }),
    block(3, { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} }),
    delta(3, { type: 'input_json_delta', partial_json: '' }),
    delta(3, { type: 'input_json_delta', partial_json: '{"city":' }),
    delta(3, { type: 'input_json_delta', partial_json: '"Ulm"}' }),
    block(4, { type: 'tool_use', id: 'toolu_3', name: 'now', input: {} }),
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 40, input_tokens: null },
    },
    { type: 'message_stop' },
  ),
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [
      { id: 'toolu_2', name: 'weather', arguments: { city: 'Ulm' } },
      { id: 'toolu_3', name: 'now', arguments: {} },
    ],
    finishReasons: ['tool_use'],
    usage: {
      inputTokens: 120,
      outputTokens: 40,
      cacheReadInputTokens: 100,
      cacheCreationInputTokens: 8,
    },
  },
}

function block(index: number, content: JsonObject): JsonObject & { type: string } {
  return { type: 'content_block_start', index, content_block: content }
}

function delta(index: number, value: JsonObject): JsonObject & { type: string } {
  return { type: 'content_block_delta', index, delta: value }
}

const { model: _, ...ON_VERTEX } = messagesSample.body

/** The same picnic, planned on Vertex, which has the model in the path. */
export const vertexMessagesSample: Sample = {
  ...messagesSample,
  url: 'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
  body: { ...ON_VERTEX, anthropic_version: 'vertex-2023-10-16' },
}
