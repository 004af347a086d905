import type { Sample } from './sample.ts'

/** Two texts and their embeddings, over the gateway of the AI SDK. */
export const gatewayEmbeddingsSample: Sample = {
  dialect: 'vercel-embeddings',
  url: 'https://ai-gateway.vercel.sh/v4/ai/embedding-model',
  headers: { 'ai-model-id': 'openai/text-embedding-3-small' },
  body: { values: ['a lawn', 'a hat'], providerOptions: { openai: { dimensions: 3 } } },
  plain: {
    embeddings: [
      [0.5, -0.25, 1],
      [0, 0.125, -1],
    ],
    usage: { tokens: 4 },
  },
  completion: {
    text: '2 embeddings of 3 dimensions',
    toolCalls: [],
    finishReasons: [],
    usage: { inputTokens: 4 },
  },
}
