import { data, DONE, named } from '../wire.ts'
import { PIXEL, type Sample } from './sample.ts'

const USAGE = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 }

/** A sentence, completed by OpenAI. */
export const completionsSample: Sample = {
  dialect: 'openai-completions',
  url: 'https://api.openai.com/v1/completions',
  body: {
    model: 'gpt-3.5-turbo-instruct',
    prompt: ['The lawn is', [464, 20195]],
    max_tokens: 4,
    stream: true,
    suffix: '.',
  },
  plain: {
    id: 'cmpl-1',
    object: 'text_completion',
    choices: [
      { text: ' dry. Bring a hat.', index: 0, logprobs: null, finish_reason: 'length' },
      { text: '', index: 1, logprobs: null, finish_reason: 'stop' },
    ],
    usage: USAGE,
  },
  events: [
    ...data(
      { choices: [{ text: ' dry. ', index: 0, finish_reason: null }] },
      { choices: [{ text: 'Bring a hat.', index: 0, finish_reason: null }] },
      {
        choices: [
          { text: '', index: 1, finish_reason: 'stop' },
          { text: '', index: 0, finish_reason: 'length' },
        ],
      },
      { choices: [], usage: USAGE },
    ),
    DONE,
  ],
  afterEnd: 2,
  completion: {
    text: ' dry. Bring a hat.',
    toolCalls: [],
    finishReasons: ['length', 'stop'],
    usage: { inputTokens: 12, outputTokens: 4 },
  },
}

/** A sentence, completed by Claude. */
export const completeSample: Sample = {
  dialect: 'anthropic-complete',
  url: 'https://api.anthropic.com/v1/complete',
  body: {
    model: 'claude-2.1',
    prompt: '\n\nHuman: Is this lawn dry?\n\nAssistant:',
    max_tokens_to_sample: 8,
    stream: true,
  },
  plain: {
    type: 'completion',
    id: 'compl_1',
    completion: ' It is dry.',
    stop_reason: 'stop_sequence',
    model: 'claude-2.1',
  },
  events: named(
    { type: 'completion', id: 'compl_1', completion: ' It is ', stop_reason: null },
    { type: 'ping' },
    { type: 'completion', id: 'compl_1', completion: 'dry.', stop_reason: null },
    { type: 'completion', id: 'compl_1', completion: '', stop_reason: 'stop_sequence' },
  ),
  completion: { text: ' It is dry.', toolCalls: [], finishReasons: ['stop_sequence'] },
}

/** A sentence, completed by a server of Hugging Face. */
export const huggingFaceSample: Sample = {
  dialect: 'generic',
  url: 'https://api-inference.huggingface.co/models/meta-llama/Llama-3.1-8B',
  body: {
    inputs: 'The lawn is',
    parameters: { max_new_tokens: 4, details: true },
    stream: true,
  },
  plain: {
    generated_text: ' dry.',
    details: { finish_reason: 'eos_token', generated_tokens: 2, input_length: 3, seed: 1 },
  },
  events: data(
    { index: 1, token: { id: 1, text: ' dr', special: false }, generated_text: null },
    { index: 2, token: { id: 2, text: 'y.', special: false }, generated_text: null },
    {
      index: 3,
      token: { id: 3, text: '</s>', special: true },
      generated_text: ' dry.',
      details: { finish_reason: 'eos_token', generated_tokens: 2, input_length: 3 },
    },
  ),
  completion: {
    text: ' dry.',
    toolCalls: [],
    finishReasons: ['eos_token'],
    usage: { inputTokens: 3, outputTokens: 2 },
  },
}

/** The same at a server that has one model. */
export const textGenerationSample: Sample = {
  ...huggingFaceSample,
  dialect: 'hugging-face-text',
  url: 'https://x1.endpoints.huggingface.cloud/generate_stream',
}

/** A prediction of Replicate's. */
export const predictionSample: Sample = {
  dialect: 'replicate',
  url: 'https://api.replicate.com/v1/models/meta/meta-llama-3-8b-instruct/predictions',
  body: {
    version: '5a6809ca',
    input: {
      system_prompt: 'You plan picnics.',
      prompt: 'Is this lawn dry?',
      image: `data:image/png;base64,${PIXEL}`,
      max_tokens: 64,
    },
    webhook: 'https://example.com/hook',
  },
  plain: {
    id: 'p1',
    model: 'meta/meta-llama-3-8b-instruct',
    input: {},
    output: ['It is ', 'dry. ', 'Bring a hat.'],
    error: null,
    status: 'succeeded',
    metrics: { input_token_count: 12, output_token_count: 8, predict_time: 0.5 },
    urls: { get: 'https://api.replicate.com/v1/predictions/p1' },
  },
  completion: {
    text: 'It is dry. Bring a hat.',
    toolCalls: [],
    finishReasons: ['succeeded'],
    usage: { inputTokens: 12, outputTokens: 8 },
  },
}
