import { data, DONE } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

const USAGE = { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 }

/** A picnic, planned by a model that Cloudflare runs. */
export const cloudflareSample: Sample = {
  dialect: 'cloudflare-run',
  url: 'https://api.cloudflare.com/client/v4/accounts/a1/ai/run/@cf/meta/llama-4-scout-17b-16e-instruct',
  body: {
    stream: true,
    seed: 42,
    messages: [
      { role: 'system', content: 'You plan picnics.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
      { role: 'tool', name: 'weather', content: 'sunny' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'weather', description: 'The weather.', parameters: WEATHER },
      },
    ],
  },
  plain: {
    result: { response: 'It is dry. Bring a hat.', usage: USAGE },
    success: true,
    errors: [],
    messages: [],
  },
  events: [
    ...data(
      { response: 'It is dry. ', p: 'abcde' },
      { response: 'Bring a hat.' },
      { response: '', usage: USAGE },
    ),
    DONE,
  ],
  completion: {
    text: 'It is dry. Bring a hat.',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 120, outputTokens: 40 },
  },
}
