import type { JsonObject } from '../../../src/json/json-value.ts'
import { named } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

const RESPONSE_OUTPUT: JsonObject[] = [
  {
    id: 'rs_1',
    type: 'reasoning',
    summary: [
      { type: 'summary_text', text: 'Sunny means dry.' },
      { type: 'summary_text', text: 'Hats help.' },
    ],
  },
  {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'It is dry. Bring a hat.', annotations: [] }],
  },
  {
    id: 'fc_1',
    type: 'function_call',
    call_id: 'call_2',
    name: 'weather',
    arguments: '{"city":"Ulm"}',
    status: 'completed',
  },
]

const RESPONSE: JsonObject = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output: RESPONSE_OUTPUT,
  usage: {
    input_tokens: 120,
    input_tokens_details: { cached_tokens: 100 },
    output_tokens: 40,
    output_tokens_details: { reasoning_tokens: 8 },
  },
}

/** A picnic, planned over responses. */
export const responsesSample: Sample = {
  dialect: 'openai-responses',
  url: 'https://api.openai.com/v1/responses',
  body: {
    model: 'gpt-5-mini',
    instructions: 'You plan picnics.',
    max_output_tokens: 64,
    stream: true,
    store: false,
    reasoning: { effort: 'low' },
    text: { format: { type: 'json_schema', name: 'plan', schema: WEATHER } },
    input: [
      { role: 'developer', content: 'Be brief.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Is this lawn dry?' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'low' },
          { type: 'input_file', file_url: 'https://example.com/lawn.pdf' },
          { type: 'input_file', file_id: 'file_1' },
        ],
      },
      {
        id: 'rs_0',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'A forecast would help.' }],
        encrypted_content: 'gAAAA',
      },
      {
        id: 'msg_0',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }],
      },
      {
        id: 'fc_0',
        type: 'function_call',
        call_id: 'call_1',
        name: 'weather',
        arguments: '{"city":"Ulm"}',
      },
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
      { id: 'ws_0', type: 'web_search_call', status: 'completed', action: { query: 'lawn' } },
      { type: 'item_reference', id: 'msg_9' },
    ],
    tools: [
      {
        type: 'function',
        name: 'weather',
        description: 'The weather.',
        parameters: WEATHER,
        strict: true,
      },
      { type: 'web_search', search_context_size: 'low' },
    ],
  },
  plain: RESPONSE,
  events: named(
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
    item('added', 0, { id: 'rs_1', type: 'reasoning', summary: [] }),
    {
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: 0,
      delta: 'Sunny means dry.',
    },
    {
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: 1,
      delta: 'Hats help.',
    },
    item('done', 0, RESPONSE_OUTPUT[0]!),
    item('added', 1, { id: 'msg_1', type: 'message', role: 'assistant', content: [] }),
    {
      type: 'response.output_text.delta',
      output_index: 1,
      content_index: 0,
      delta: 'It is dry. ',
    },
    {
      type: 'response.output_text.delta',
      output_index: 1,
      content_index: 0,
      delta: 'Bring a hat.',
    },
    item('added', 2, {
      type: 'function_call',
      call_id: 'call_2',
      name: 'weather',
      arguments: '',
    }),
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"city":' },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '"Ulm"}' },
    { type: 'response.completed', response: RESPONSE },
  ),
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.\n\nHats help.',
    toolCalls: [{ id: 'call_2', name: 'weather', arguments: { city: 'Ulm' } }],
    finishReasons: ['completed'],
    usage: {
      inputTokens: 120,
      outputTokens: 40,
      cacheReadInputTokens: 100,
      reasoningOutputTokens: 8,
    },
  },
}

function item(step: string, index: number, value: JsonObject): JsonObject & { type: string } {
  return { type: `response.output_item.${step}`, output_index: index, item: value }
}
