import type { JsonObject } from '../../../src/json/json-value.ts'
import { jsonLines } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

const MODEL = 'qwen3:8b'
const FIGURES = { total_duration: 9, prompt_eval_count: 120, eval_count: 40 }

/** A picnic, planned over Ollama's chat. */
export const ollamaChatSample: Sample = {
  dialect: 'ollama-chat',
  url: 'http://127.0.0.1:11434/api/chat',
  body: {
    model: MODEL,
    stream: true,
    think: true,
    format: WEATHER,
    keep_alive: '5m',
    options: { temperature: 0, num_predict: 64, seed: 42 },
    messages: [
      { role: 'system', content: 'You plan picnics.' },
      { role: 'user', content: 'Is this lawn dry?', images: [PIXEL] },
      {
        role: 'assistant',
        content: 'Let me look.',
        thinking: 'A forecast would help.',
        tool_calls: [
          { id: 'call_1', function: { index: 0, name: 'weather', arguments: { city: 'Ulm' } } },
        ],
      },
      { role: 'tool', content: 'sunny', tool_name: 'weather' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'weather', description: 'The weather.', parameters: WEATHER },
      },
    ],
  },
  plain: {
    model: MODEL,
    created_at: '2026-01-02T03:04:05.678Z',
    message: {
      role: 'assistant',
      content: 'It is dry. Bring a hat.',
      thinking: 'Sunny means dry.',
      tool_calls: [
        { function: { name: 'weather', arguments: { city: 'Ulm' } } },
        { id: 'call_3', function: { name: 'now', arguments: {} } },
      ],
    },
    done: true,
    done_reason: 'stop',
    ...FIGURES,
  },
  events: jsonLines(
    chunk({ content: '', thinking: 'Sunny ' }),
    chunk({ content: '', thinking: 'means dry.' }),
    chunk({ content: 'It is dry. ' }),
    chunk({ content: 'Bring a hat.' }),
    chunk({
      content: '',
      tool_calls: [{ function: { name: 'weather', arguments: { city: 'Ulm' } } }],
    }),
    chunk({
      content: '',
      tool_calls: [{ id: 'call_3', function: { name: 'now', arguments: {} } }],
    }),
    { ...chunk({ content: '' }), done: true, done_reason: 'stop', ...FIGURES },
  ),
  lines: true,
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [
      { name: 'weather', arguments: { city: 'Ulm' } },
      { id: 'call_3', name: 'now', arguments: {} },
    ],
    finishReasons: ['stop'],
    usage: { inputTokens: 120, outputTokens: 40 },
  },
}

/** The same without a conversation. */
export const ollamaGenerateSample: Sample = {
  dialect: 'ollama-chat',
  url: 'http://127.0.0.1:11434/api/generate',
  body: {
    model: MODEL,
    system: 'You plan picnics.',
    prompt: 'Is this lawn dry?',
    images: [PIXEL],
    suffix: 'Bring a hat.',
    stream: true,
  },
  plain: { model: MODEL, response: 'It is dry.', done: true, done_reason: 'length', ...FIGURES },
  events: jsonLines(
    { model: MODEL, response: 'It is ', done: false },
    { model: MODEL, response: 'dry.', done: false },
    { model: MODEL, response: '', done: true, done_reason: 'length', context: [1], ...FIGURES },
  ),
  lines: true,
  completion: {
    text: 'It is dry.',
    toolCalls: [],
    finishReasons: ['length'],
    usage: { inputTokens: 120, outputTokens: 40 },
  },
}

/** Two texts, embedded by Ollama. */
export const ollamaEmbedSample: Sample = {
  dialect: 'ollama-embed',
  url: 'http://127.0.0.1:11434/api/embed',
  body: { model: 'all-minilm', input: ['a lawn', 'a hat'], options: { num_ctx: 512 } },
  plain: {
    model: 'all-minilm',
    embeddings: [
      [0.1, 0.2, -0.3],
      [0.4, 0.5, 0.6],
    ],
    prompt_eval_count: 4,
  },
  completion: {
    text: '2 embeddings of 3 dimensions',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 4 },
  },
}

/** As it was first: one text. */
export const ollamaEmbeddingsSample: Sample = {
  dialect: 'ollama-embed',
  url: 'http://127.0.0.1:11434/api/embeddings',
  body: { model: 'all-minilm', prompt: 'a lawn' },
  plain: { embedding: [0.1, 0.2] },
  completion: { text: '1 embedding of 2 dimensions', toolCalls: [], finishReasons: [] },
}

function chunk(message: JsonObject): JsonObject {
  const said = { role: 'assistant', ...message }
  return { model: MODEL, created_at: '2026-01-02T03:04:05.6Z', message: said, done: false }
}
