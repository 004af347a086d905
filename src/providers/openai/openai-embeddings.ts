import type { Dialect } from '../dialect.ts'
import { arrayOf, isFilled, objectOf, stringOf } from '../fields.ts'
import { embeddingsDialect, readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { chatUsage, readOpenAiUsage, writeChatFailure } from './openai-chat.ts'

/** OpenAI's embeddings. */
export const openaiEmbeddings: Dialect = embeddingsDialect({
  name: 'openai-embeddings',

  claims(request) {
    if (!isSentTo(request, '/embeddings')) return false
    const { model, input } = bodyOf(request)
    // Azure has the model in the path.
    const named = typeof model === 'string' || request.url.includes('/deployments/')
    return named && isFilled(input)
  },

  readPrompt: (request) => readInputPrompt(request, 'embeddings', 'input'),

  vectors: ({ data }) => arrayOf(data).map((item) => objectOf(item).embedding),

  usage({ usage }) {
    const counts = objectOf(usage)
    // Some providers count only a total, which is all input.
    return readOpenAiUsage({ prompt_tokens: counts.total_tokens ?? null, ...counts })
  },

  write(vectors, request, usage) {
    const { model, encoding_format: format } = bodyOf(request)
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? base64Of(vector) : vector,
    }))
    return { object: 'list', data, model: stringOf(model) ?? '', ...chatUsage(usage) }
  },

  writeFailure: writeChatFailure,
})

function base64Of(embedding: number[]): string {
  return Buffer.from(new Float32Array(embedding).buffer).toString('base64')
}
