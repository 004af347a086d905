import { jsonLines } from '../wire.ts'
import type { Sample } from './sample.ts'

const USAGE = {
  billed_units: { input_tokens: 20, output_tokens: 30 },
  tokens: { input_tokens: 120, output_tokens: 40 },
}

const CALLS = [{ name: 'weather', parameters: { city: 'Ulm' } }]

/** A picnic, planned over the first version of Cohere's chat. */
export const cohereChatV1Sample: Sample = {
  dialect: 'generic',
  url: 'https://api.cohere.com/v1/chat',
  body: {
    model: 'command-r',
    stream: true,
    preamble: 'You plan picnics.',
    chat_history: [
      { role: 'USER', message: 'Is this lawn dry?' },
      { role: 'CHATBOT', message: 'Let me look.', tool_calls: CALLS },
    ],
    message: 'And?',
    tools: [
      {
        name: 'weather',
        description: 'The weather.',
        parameter_definitions: { city: { type: 'str', required: true } },
      },
    ],
    temperature: 0,
  },
  plain: {
    text: 'It is dry. Bring a hat.',
    generation_id: 'g1',
    finish_reason: 'COMPLETE',
    tool_calls: CALLS,
    meta: { api_version: { version: '1' }, ...USAGE },
  },
  lines: true,
  events: jsonLines(
    { is_finished: false, event_type: 'stream-start', generation_id: 'g1' },
    { is_finished: false, event_type: 'text-generation', text: 'It is ' },
    { is_finished: false, event_type: 'text-generation', text: 'dry. ' },
    { is_finished: false, event_type: 'text-generation', text: 'Bring a hat.' },
    { is_finished: false, event_type: 'tool-calls-generation', tool_calls: CALLS },
    {
      is_finished: true,
      event_type: 'stream-end',
      finish_reason: 'COMPLETE',
      response: {
        text: 'It is dry. Bring a hat.',
        tool_calls: CALLS,
        finish_reason: 'COMPLETE',
        meta: USAGE,
      },
    },
  ),
  completion: {
    text: 'It is dry. Bring a hat.',
    toolCalls: [{ name: 'weather', arguments: { city: 'Ulm' } }],
    finishReasons: ['COMPLETE'],
    usage: { inputTokens: 120, outputTokens: 40 },
  },
}
