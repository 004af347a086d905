import type { Dialect } from '../dialect.ts'
import { arrayOf, counted, flatten, isFilled, jsonObject, numberOf } from '../fields.ts'
import { embeddingsDialect, readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { isForOllama } from './ollama-chat.ts'

/** All fields that Ollama has for such a request. A web application's own request has other fields. */
const OLLAMA_FIELDS = new Set([
  'model',
  'input',
  'prompt',
  'truncate',
  'options',
  'keep_alive',
  'dimensions',
])

/** Ollama's embeddings: of several texts, or of one in the older API. */
export const ollamaEmbed: Dialect = embeddingsDialect({
  name: 'ollama-embed',
  renewed: { figure: ['total_duration', 'load_duration'] },

  claims(request) {
    const body = bodyOf(request)
    const { model, input, prompt } = body
    if (typeof model !== 'string') return false
    const isOllama = Object.keys(body).every((name) => OLLAMA_FIELDS.has(name))
    if (!isOllama && !isForOllama(request)) return false
    if (isSentTo(request, '/api/embeddings')) return typeof prompt === 'string'
    return isSentTo(request, '/api/embed') && isFilled(input)
  },

  readPrompt(request) {
    const field = isSentTo(request, '/api/embeddings') ? 'prompt' : 'input'
    const prompt = readInputPrompt(request, 'embeddings', field)
    return { ...prompt, parameters: flatten(prompt.parameters, 'options') }
  },

  vectors: ({ embeddings, embedding }) =>
    embedding === undefined ? arrayOf(embeddings) : [embedding],

  usage: ({ prompt_eval_count }) => counted({ inputTokens: numberOf(prompt_eval_count) }),

  write(embeddings, request, usage) {
    if (isSentTo(request, '/api/embeddings')) return { embedding: embeddings[0] ?? [] }
    const { model } = bodyOf(request)
    return jsonObject({ model, embeddings, prompt_eval_count: usage?.inputTokens })
  },

  writeFailure: (error) => ({ error }),
})
