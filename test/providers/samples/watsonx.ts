import { data } from '../wire.ts'
import { chatSample } from './openai-chat.ts'
import type { Sample } from './sample.ts'

const HOST = 'https://us-south.ml.cloud.ibm.com/ml/v1/text'
const { model, stream: _, stream_options: __, ...CHAT } = chatSample.body

/** The picnic of chat completions, planned over watsonx. */
export const watsonxChatSample: Sample = {
  ...chatSample,
  dialect: 'watsonx',
  url: `${HOST}/chat_stream?version=2025-01-01`,
  body: { model_id: model!, project_id: 'p1', ...CHAT },
  unstreamed: { url: `${HOST}/chat?version=2025-01-01` },
}

/** A sentence, completed by Granite. */
export const watsonxTextSample: Sample = {
  dialect: 'watsonx',
  url: `${HOST}/generation_stream?version=2025-01-01`,
  body: {
    model_id: 'ibm/granite-13b-instruct-v2',
    input: 'The lawn is',
    project_id: 'p1',
    parameters: { max_new_tokens: 8 },
  },
  plain: {
    model_id: 'ibm/granite-13b-instruct-v2',
    results: [
      {
        generated_text: ' dry. Bring a hat.',
        generated_token_count: 4,
        input_token_count: 3,
        stop_reason: 'eos_token',
      },
    ],
  },
  events: data(
    piece(' dry. ', { input_token_count: 3, stop_reason: 'not_finished' }),
    piece('Bring a ', { stop_reason: 'not_finished' }),
    piece('hat.', { generated_token_count: 4, stop_reason: 'eos_token' }),
  ),
  unstreamed: { url: `${HOST}/generation?version=2025-01-01` },
  completion: {
    text: ' dry. Bring a hat.',
    toolCalls: [],
    finishReasons: ['eos_token'],
    usage: { inputTokens: 3, outputTokens: 4 },
  },
}

/** The embeddings of two words. */
export const watsonxEmbeddingsSample: Sample = {
  dialect: 'watsonx',
  url: `${HOST}/embeddings?version=2025-01-01`,
  body: { model_id: 'ibm/slate-30m', inputs: ['lawn', 'hat'], project_id: 'p1' },
  plain: { results: [{ embedding: [1, 0] }, { embedding: [0, 1] }], input_token_count: 2 },
  completion: {
    text: '2 embeddings of 2 dimensions',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 2 },
  },
}

function piece(
  generated_text: string,
  fields: object,
): { results: object[] } & Record<string, any> {
  return { model_id: 'ibm/granite-13b-instruct-v2', results: [{ generated_text, ...fields }] }
}
