import { PIXEL, type Sample } from './sample.ts'

/** A picture, drawn by OpenAI. */
export const mediaSample: Sample = {
  dialect: 'openai-media',
  url: 'https://api.openai.com/v1/images/generations',
  body: { model: 'gpt-image-1', prompt: 'a lawn', size: '64x64', n: 1 },
  plain: { created: 1, data: [{ b64_json: PIXEL }], usage: { input_tokens: 4, output_tokens: 9 } },
  completion: {
    text: `{"created":1,"data":[{"b64_json":"${PIXEL}"}],"usage":{"input_tokens":4,"output_tokens":9}}`,
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 4, outputTokens: 9 },
  },
}

/** A format that no dialect knows. */
export const genericSample: Sample = {
  ...mediaSample,
  dialect: 'generic',
  url: 'https://fal.run/fal-ai/flux',
}
