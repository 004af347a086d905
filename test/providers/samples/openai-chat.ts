import type { JsonObject } from '../../../src/json/json-value.ts'
import { data, DONE } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

/** A picnic, planned over chat completions. */
export const chatSample: Sample = {
  dialect: 'openai-chat',
  url: 'https://api.openai.com/v1/chat/completions',
  body: {
    model: 'gpt-4o-mini',
    temperature: 0,
    max_completion_tokens: 64,
    stream: true,
    stream_options: { include_usage: true },
    response_format: { type: 'json_schema', json_schema: { name: 'plan', schema: WEATHER } },
    messages: [
      { role: 'system', content: 'You plan picnics.', cache_control: { type: 'ephemeral' } },
      {
        role: 'user',
        name: 'ada',
        content: [
          { type: 'text', text: 'Is this lawn dry?', cache_control: { type: 'ephemeral' } },
          {
            type: 'image_url',
            image_url: { url: `data:image/png;base64,${PIXEL}`, detail: 'low' },
          },
          { type: 'image_url', image_url: { url: 'https://example.com/lawn.jpg' } },
          { type: 'input_audio', input_audio: { data: 'UklGRiQA', format: 'wav' } },
          {
            type: 'file',
            file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
          },
          { type: 'hologram', beams: 3 },
        ],
      },
      {
        role: 'assistant',
        content: 'Let me look.',
        reasoning_content: 'A forecast would help.',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Ulm"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'The weather.',
          parameters: WEATHER,
          strict: true,
        },
      },
      { type: 'web_search', search_context_size: 'low' },
    ],
    tool_choice: 'auto',
  },
  plain: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-4o-mini-2024-07-18',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'It is dry. Bring a hat.',
          reasoning_content: 'Sunny means dry.',
          refusal: null,
          tool_calls: [
            {
              id: 'call_2',
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Ulm"}' },
            },
            { id: 'call_3', type: 'function', function: { name: 'now', arguments: '{}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: 120,
      completion_tokens: 40,
      prompt_tokens_details: { cached_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 8 },
    },
  },
  events: [
    ...data(
      chunk({ role: 'assistant', content: '', refusal: null }),
      chunk({ reasoning_content: 'Sunny ' }),
      chunk({ reasoning_content: 'means dry.' }),
      chunk({ content: 'It is dry. ' }),
      chunk({ content: 'Bring a hat.' }),
      chunk({ tool_calls: [fragment(0, '', { id: 'call_2', name: 'weather' })] }),
      chunk({ tool_calls: [fragment(0, '{"ci')] }),
      chunk({
        tool_calls: [fragment(1, '', { id: 'call_3', name: 'now' }), fragment(0, 'ty":"Ul')],
      }),
      chunk({ tool_calls: [fragment(1, '{}'), fragment(0, 'm"}')] }),
      chunk({}, 'tool_calls'),
      {
        object: 'chat.completion.chunk',
        choices: [],
        usage: {
          prompt_tokens: 120,
          completion_tokens: 40,
          prompt_tokens_details: { cached_tokens: 100 },
          completion_tokens_details: { reasoning_tokens: 8 },
        },
      },
    ),
    DONE,
  ],
  afterEnd: 2,
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [
      { id: 'call_2', name: 'weather', arguments: { city: 'Ulm' } },
      { id: 'call_3', name: 'now', arguments: {} },
    ],
    finishReasons: ['tool_calls'],
    usage: {
      inputTokens: 120,
      outputTokens: 40,
      cacheReadInputTokens: 100,
      reasoningOutputTokens: 8,
    },
  },
}

function chunk(delta: JsonObject, finishReason: string | null = null): JsonObject {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return { object: 'chat.completion.chunk', choices, usage: null }
}

function fragment(index: number, args: string, first?: { id: string; name: string }): JsonObject {
  if (!first) return { index, function: { arguments: args } }
  return { index, id: first.id, type: 'function', function: { name: first.name, arguments: args } }
}
