import { data, DONE, named } from '../wire.ts'
import { WEATHER, type Sample } from './sample.ts'

const COUNTED = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 }
const usage = { inputTokens: 12, outputTokens: 4 }

/** A gap in a program, filled by Codestral. */
export const fimSample: Sample = {
  dialect: 'mistral-fim',
  url: 'https://api.mistral.ai/v1/fim/completions',
  body: {
    model: 'codestral-latest',
    prompt: 'const lawn = ',
    suffix: '\nmow(lawn)',
    max_tokens: 8,
    stream: true,
  },
  plain: {
    id: 'fim-1',
    object: 'chat.completion',
    model: 'codestral-latest',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'dry(meadow)' }, finish_reason: 'stop' },
    ],
    usage: COUNTED,
  },
  events: [
    ...data(
      {
        choices: [{ index: 0, delta: { role: 'assistant', content: 'dry(' }, finish_reason: null }],
      },
      { choices: [{ index: 0, delta: { content: 'meadow)' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }], usage: COUNTED },
    ),
    DONE,
  ],
  afterEnd: 1,
  completion: { text: 'dry(meadow)', toolCalls: [], finishReasons: ['stop'], usage },
}

/** A picnic, planned by an agent of Mistral's. */
export const conversationsSample: Sample = {
  dialect: 'mistral-conversations',
  url: 'https://api.mistral.ai/v1/conversations',
  body: {
    model: 'mistral-medium-latest',
    instructions: 'You plan picnics.',
    inputs: [
      { type: 'message.input', role: 'user', content: 'Is this lawn dry?' },
      {
        type: 'message.output',
        role: 'assistant',
        content: [{ type: 'text', text: 'Let me look.' }],
      },
      { type: 'function.call', tool_call_id: 'c1', name: 'weather', arguments: '{"city":"Ulm"}' },
      { type: 'function.result', tool_call_id: 'c1', result: 'sunny', object: 'entry' },
    ],
    tools: [{ type: 'function', function: { name: 'weather', parameters: WEATHER } }],
    completion_args: { temperature: 0.5 },
    store: false,
    stream: true,
  },
  plain: {
    object: 'conversation.response',
    conversation_id: 'conv_1',
    outputs: [
      {
        type: 'message.output',
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Sunny means dry.' }] },
          { type: 'text', text: 'It is dry. Bring a hat.' },
        ],
      },
      { type: 'tool.execution', name: 'web_search', arguments: '{}' },
      { type: 'function.call', tool_call_id: 'c2', name: 'now', arguments: '{"zone":"CET"}' },
    ],
    usage: COUNTED,
  },
  events: named(
    { type: 'conversation.response.started', conversation_id: 'conv_1' },
    {
      type: 'message.output.delta',
      output_index: 0,
      content: { type: 'thinking', thinking: [{ type: 'text', text: 'Sunny means dry.' }] },
    },
    { type: 'message.output.delta', output_index: 0, content: 'It is ' },
    { type: 'message.output.delta', output_index: 0, content: { type: 'text', text: 'dry. ' } },
    { type: 'message.output.delta', output_index: 0, content: 'Bring a hat.' },
    {
      type: 'function.call.delta',
      output_index: 1,
      tool_call_id: 'c2',
      name: 'now',
      arguments: '{"zone":',
    },
    {
      type: 'function.call.delta',
      output_index: 1,
      tool_call_id: 'c2',
      name: 'now',
      arguments: '"CET"}',
    },
    { type: 'conversation.response.done', usage: COUNTED },
  ),
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [{ id: 'c2', name: 'now', arguments: { zone: 'CET' } }],
    finishReasons: [],
    usage,
  },
}

/** A document of two pages. */
export const ocrSample: Sample = {
  dialect: 'mistral-ocr',
  url: 'https://api.mistral.ai/v1/ocr',
  body: {
    model: 'mistral-ocr-latest',
    document: {
      type: 'document_url',
      document_url: 'https://example.com/lawn.pdf',
      document_name: 'Lawn',
    },
    pages: [0, 1],
  },
  plain: {
    pages: [
      { index: 0, markdown: '# Lawn', images: [], dimensions: null },
      { index: 1, markdown: 'It is dry.', images: [], dimensions: null },
    ],
    model: 'mistral-ocr-2505',
    usage_info: { pages_processed: 2, doc_size_bytes: 100 },
  },
  completion: { text: '# Lawn\n\nIt is dry.', toolCalls: [], finishReasons: [] },
}
