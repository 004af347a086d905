import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { DONE } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

const HOST = 'https://generativelanguage.googleapis.com'

const EMBEDDED = { text: '2 embeddings of 3 dimensions', toolCalls: [], finishReasons: [] }

const VECTORS = [{ values: [0.1, 0.2, 0.3] }, { values: [0.4, 0.5, 0.6] }]

/** Several texts, embedded by Gemini. */
export const batchEmbedSample: Sample = {
  dialect: 'gemini-embeddings',
  url: `${HOST}/v1beta/models/gemini-embedding-001:batchEmbedContents`,
  body: {
    requests: [
      {
        model: 'models/gemini-embedding-001',
        content: { parts: [{ text: 'a lawn' }], role: 'user' },
        taskType: 'RETRIEVAL_DOCUMENT',
        title: 'lawns',
      },
      {
        model: 'models/gemini-embedding-001',
        content: { parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }] },
        outputDimensionality: 3,
      },
    ],
  },
  plain: { embeddings: VECTORS },
  completion: EMBEDDED,
}

/** One text, embedded by Gemini. */
export const embedContentSample: Sample = {
  dialect: 'gemini-embeddings',
  url: `${HOST}/v1beta/models/gemini-embedding-001:embedContent`,
  body: { content: { parts: [{ text: 'a lawn' }] }, outputDimensionality: 2 },
  plain: { embedding: { values: [0.1, 0.2] }, usageMetadata: { promptTokenCount: 2 } },
  completion: {
    text: '1 embedding of 2 dimensions',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 2 },
  },
}

/** Texts, embedded by Vertex. */
export const vertexPredictSample: Sample = {
  dialect: 'gemini-embeddings',
  url: 'https://us-central1-aiplatform.googleapis.com/v1beta1/projects/p/locations/us-central1/publishers/google/models/text-embedding-005:predict',
  body: {
    instances: [{ content: 'a lawn', task_type: 'RETRIEVAL_QUERY' }, { content: 'a hat' }],
    parameters: { outputDimensionality: 3 },
  },
  plain: {
    predictions: VECTORS.map(({ values }) => ({
      embeddings: { values, statistics: { token_count: 2, truncated: false } },
    })),
  },
  completion: { ...EMBEDDED, usage: { inputTokens: 4 } },
}

/** A prompt that is only counted. */
export const countTokensSample: Sample = {
  dialect: 'gemini-count-tokens',
  url: `${HOST}/v1/models/gemini-2.5-flash:countTokens`,
  body: {
    generateContentRequest: {
      model: 'models/gemini-2.5-flash',
      contents: [{ role: 'user', parts: [{ text: 'Is this lawn dry?' }] }],
      systemInstruction: { parts: [{ text: 'You plan picnics.' }] },
    },
  },
  plain: { totalTokens: 31, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 31 }] },
  optional: ['role'],
  completion: {
    text: '31 tokens',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 31 },
  },
}

const USAGE = {
  total_input_tokens: 100,
  total_tool_use_tokens: 20,
  total_output_tokens: 32,
  total_cached_tokens: 90,
  total_thought_tokens: 8,
  total_tokens: 160,
}

/** A picnic, planned over Gemini's interactions. */
export const interactionsSample: Sample = {
  dialect: 'gemini-interactions',
  url: `${HOST}/v1beta/interactions`,
  body: {
    model: 'gemini-3-flash-preview',
    stream: true,
    store: false,
    system_instruction: 'You plan picnics.',
    generation_config: { temperature: 0, thinking_level: 'low' },
    response_format: { type: 'text', mime_type: 'application/json', schema: WEATHER },
    input: [
      {
        type: 'user_input',
        content: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'image', data: PIXEL, mime_type: 'image/png' },
          { type: 'video', uri: 'https://example.com/lawn.mp4', mime_type: 'video/mp4' },
        ],
      },
      {
        type: 'thought',
        signature: 'c2ln',
        summary: [{ type: 'text', text: 'A forecast would help.' }],
      },
      { type: 'function_call', id: 'call_1', name: 'weather', arguments: { city: 'Ulm' } },
      { type: 'google_search_call', id: 's1', arguments: { queries: ['lawn'] } },
      { type: 'google_search_result', call_id: 's1', result: [{ url: 'https://example.com' }] },
      { type: 'function_result', call_id: 'call_1', name: 'weather', result: { sky: 'sunny' } },
      { type: 'text', text: 'And?' },
    ],
    tools: [
      { type: 'function', name: 'weather', description: 'The weather.', parameters: WEATHER },
      { type: 'google_search' },
    ],
  },
  plain: {
    id: 'v1_1',
    object: 'interaction',
    status: 'requires_action',
    steps: [
      {
        type: 'thought',
        signature: 'c2ln',
        summary: [{ type: 'text', text: 'Sunny means dry.' }],
      },
      { type: 'model_output', content: [{ type: 'text', text: 'It is dry. Bring a hat.' }] },
      { type: 'function_call', id: 'call_2', name: 'weather', arguments: { city: 'Ulm' } },
      { type: 'function_call', id: 'call_3', name: 'now', arguments: {} },
    ],
    usage: USAGE,
  },
  events: [
    event('interaction.created', { interaction: { id: 'v1_1', status: 'in_progress' } }),
    event('interaction.status_update', { interaction_id: 'v1_1', status: 'in_progress' }),
    event('step.start', { index: 0, step: { type: 'thought' } }),
    thought('Sunny '),
    thought('means dry.'),
    delta(0, { type: 'thought_signature', signature: 'c2ln' }),
    event('step.stop', { index: 0 }),
    event('step.start', { index: 1, step: { type: 'model_output' } }),
    delta(1, { type: 'text', text: 'It is dry. ' }),
    delta(1, { type: 'text', text: 'Bring a hat.' }),
    event('step.stop', { index: 1 }),
    start(2, 'call_2', 'weather'),
    delta(2, { type: 'arguments_delta', arguments: '{"city":' }),
    delta(2, { type: 'arguments_delta', arguments: '"Ulm"}' }),
    start(3, 'call_3', 'now'),
    delta(3, { type: 'arguments_delta', arguments: '{}' }),
    event('interaction.completed', {
      interaction: { id: 'v1_1', status: 'requires_action', usage: USAGE },
    }),
    DONE,
  ],
  afterEnd: 1,
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [
      { id: 'call_2', name: 'weather', arguments: { city: 'Ulm' } },
      { id: 'call_3', name: 'now', arguments: {} },
    ],
    finishReasons: ['requires_action'],
    usage: {
      inputTokens: 120,
      outputTokens: 40,
      cacheReadInputTokens: 90,
      reasoningOutputTokens: 8,
    },
  },
}

function event(type: string, fields: Record<string, JsonValue>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ ...fields, event_type: type })}\n\n`
}

function start(index: number, id: string, name: string): string {
  return event('step.start', { index, step: { type: 'function_call', id, name, arguments: {} } })
}

function delta(index: number, value: JsonObject): string {
  return event('step.delta', { index, delta: value })
}

function thought(text: string): string {
  return delta(0, { type: 'thought_summary', content: { type: 'text', text } })
}
