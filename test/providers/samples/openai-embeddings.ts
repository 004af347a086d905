import type { Sample } from './sample.ts'

/** Two texts and their embeddings. */
export const embeddingsSample: Sample = {
  dialect: 'openai-embeddings',
  url: 'https://api.openai.com/v1/embeddings',
  body: {
    model: 'text-embedding-3-small',
    input: ['a lawn', 'a hat'],
    encoding_format: 'float',
    dimensions: 3,
  },
  plain: {
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: [0.5, -0.25, 1] },
      { object: 'embedding', index: 1, embedding: [0, 0.125, -1] },
    ],
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  },
  completion: {
    text: '2 embeddings of 3 dimensions',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 4 },
  },
}
