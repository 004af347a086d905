import { responsesSample } from './openai-responses.ts'
import { WEATHER, type Sample } from './sample.ts'

const { stream: _, ...RESPONSES } = responsesSample.body

/** The picnic of responses, made shorter. */
export const compactSample: Sample = {
  dialect: 'openai-responses',
  url: 'https://api.openai.com/v1/responses/compact',
  body: RESPONSES,
  plain: {
    id: 'resp_1',
    object: 'response.compaction',
    output: [
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'A picnic is planned.', annotations: [] }],
      },
      { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAA' },
    ],
    usage: { input_tokens: 120, output_tokens: 40, total_tokens: 160 },
  },
  completion: {
    text: 'A picnic is planned.',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 120, outputTokens: 40 },
  },
}

/** What a picnic is spoken about with. */
export const realtimeSessionSample: Sample = {
  dialect: 'openai-realtime-session',
  url: 'https://api.openai.com/v1/realtime/client_secrets',
  body: {
    expires_after: { anchor: 'created_at', seconds: 600 },
    session: {
      type: 'realtime',
      model: 'gpt-realtime',
      instructions: 'You plan picnics.',
      tools: [{ type: 'function', name: 'weather', parameters: WEATHER }],
      audio: { output: { voice: 'marin' } },
    },
  },
  plain: { expires_at: 1, session: { id: 'sess_1', object: 'realtime.session' } },
  completion: { text: 'sess_1', toolCalls: [], finishReasons: [] },
}
