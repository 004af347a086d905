import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { DONE, named } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

const USAGE = {
  billed_units: { input_tokens: 20, output_tokens: 30 },
  tokens: { input_tokens: 120, output_tokens: 40 },
  cached_tokens: 100,
}

/** A picnic, planned over Cohere's chat. */
export const cohereChatSample: Sample = {
  dialect: 'cohere-chat',
  url: 'https://api.cohere.com/v2/chat',
  body: {
    model: 'command-a-reasoning-08-2025',
    stream: true,
    temperature: 0,
    max_tokens: 64,
    strict_tools: true,
    response_format: { type: 'json_object', schema: WEATHER },
    documents: [{ id: 'rules', data: { text: 'No fires.' } }],
    messages: [
      { role: 'system', content: 'You plan picnics.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
      {
        role: 'assistant',
        tool_plan: 'I will look.',
        content: [{ type: 'thinking', thinking: 'A forecast would help.' }],
        tool_calls: [
          {
            id: 'weather_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Ulm"}' },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'weather_1',
        content: [{ type: 'document', document: { id: '1', data: 'sunny' } }],
      },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'weather', description: 'The weather.', parameters: WEATHER },
      },
    ],
  },
  plain: {
    id: 'c1',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Sunny means dry.' },
        { type: 'text', text: 'It is dry. Bring a hat.' },
      ],
      tool_calls: [
        {
          id: 'weather_2',
          type: 'function',
          function: { name: 'weather', arguments: '{"city":"Ulm"}' },
        },
        { id: 'now_3', type: 'function', function: { name: 'now', arguments: '{}' } },
      ],
    },
    finish_reason: 'TOOL_CALL',
    usage: USAGE,
  },
  events: [
    ...named(
      { type: 'message-start', id: 'c1', delta: { message: { role: 'assistant', content: [] } } },
      at(0, 'content-start', { content: { type: 'thinking', thinking: '' } }),
      at(0, 'content-delta', { content: { thinking: 'Sunny ' } }),
      at(0, 'content-delta', { content: { thinking: 'means dry.' } }),
      at(0, 'content-end', {}),
      at(1, 'content-start', { content: { type: 'text', text: '' } }),
      at(1, 'content-delta', { content: { text: 'It is dry. ' } }),
      at(1, 'content-delta', { content: { text: 'Bring a hat.' } }),
      at(0, 'citation-start', { citations: { start: 0, end: 2, text: 'It', sources: [] } }),
      at(1, 'content-end', {}),
      at(0, 'tool-call-start', { tool_calls: call('weather_2', 'weather') }),
      at(0, 'tool-call-delta', { tool_calls: { function: { arguments: '{"city":' } } }),
      at(0, 'tool-call-delta', { tool_calls: { function: { arguments: '"Ulm"}' } } }),
      at(0, 'tool-call-end', {}),
      at(1, 'tool-call-start', { tool_calls: call('now_3', 'now') }),
      at(1, 'tool-call-delta', { tool_calls: { function: { arguments: '{}' } } }),
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage: USAGE } },
    ),
    DONE,
  ],
  afterEnd: 1,
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [
      { id: 'weather_2', name: 'weather', arguments: { city: 'Ulm' } },
      { id: 'now_3', name: 'now', arguments: {} },
    ],
    finishReasons: ['TOOL_CALL'],
    usage: { inputTokens: 120, outputTokens: 40, cacheReadInputTokens: 100 },
  },
}

/** Texts, images and both, embedded by Cohere. */
export const cohereEmbedSample: Sample = {
  dialect: 'cohere-embed',
  url: 'https://api.cohere.com/v2/embed',
  body: {
    model: 'embed-v4.0',
    input_type: 'search_document',
    embedding_types: ['float', 'int8'],
    texts: ['a lawn'],
    images: [`data:image/png;base64,${PIXEL}`],
    inputs: [{ content: [{ type: 'text', text: 'a hat' }], title: 'hats' }],
  },
  plain: {
    id: 'e1',
    embeddings: {
      float: [
        [0.1, 0.2],
        [0.3, 0.4],
        [0.5, 0.6],
      ],
      int8: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    },
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: 4 } },
  },
  completion: {
    text: '3 embeddings of 2 dimensions',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 4 },
  },
}

/** Documents in the order in which they answer a question. */
export const cohereRerankSample: Sample = {
  dialect: 'cohere-rerank',
  url: 'https://api.cohere.com/v2/rerank',
  body: {
    model: 'rerank-v3.5',
    query: 'Which one is dry?',
    documents: ['a lake', 'a lawn', { text: 'a hat' }],
    top_n: 2,
  },
  plain: {
    id: 'r1',
    results: [
      { index: 1, relevance_score: 0.998 },
      { index: 2, relevance_score: 0.00015720345 },
    ],
    meta: { billed_units: { search_units: 1 } },
  },
  completion: { text: '1: 0.998\n2: 0.00015720345', toolCalls: [], finishReasons: [] },
}

function at(
  index: number,
  type: string,
  message: JsonObject,
): { type: string; [field: string]: JsonValue } {
  return { type, index, delta: { message } }
}

function call(id: string, name: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: '' } }
}
