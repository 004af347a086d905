import type { JsonObject } from '../../json/json-value.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, counted, jsonObject, numberOf, objectOf } from '../fields.ts'
import { embeddingsDialect, readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'

/** Embeddings of Vercel's gateway, which gets the model in a header. */
export const vercelEmbeddings: Dialect = embeddingsDialect({
  name: 'vercel-embeddings',

  claims: (request) =>
    isSentTo(request, '/ai/embedding-model') && arrayOf(bodyOf(request).values).length > 0,

  readPrompt(request) {
    const { model, ...prompt } = readInputPrompt(request, 'embeddings', 'values')
    const { 'ai-model-id': id = model } = request.headers ?? {}
    const sent: JsonObject = model === undefined || model === id ? {} : { model }
    const named = id === undefined ? {} : { model: id }
    return { ...prompt, ...named, parameters: { ...sent, ...prompt.parameters } }
  },

  vectors: ({ embeddings }) => arrayOf(embeddings),

  usage: ({ usage }) => counted({ inputTokens: numberOf(objectOf(usage).tokens) }),

  write: (embeddings, _, usage) =>
    jsonObject({
      embeddings,
      usage: usage?.inputTokens === undefined ? undefined : { tokens: usage.inputTokens },
    }),
})
