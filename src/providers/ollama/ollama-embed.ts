import { readAnswer } from '../kit/read-answer.ts'
import {
  embeddingsCompletion,
  makeUpEmbeddings,
  readEmbeddedInput,
  readInputPrompt,
} from '../kit/embeddings.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { arrayOf, counted, jsonObject, numberOf, flatten } from '../fields.ts'
import { isForOllama } from './ollama-chat.ts'
import { writeAnswer } from '../kit/write-answer.ts'

/** All fields that Ollama has for such a request. A web application's own request has other fields. */
const FIELDS = new Set([
  'model',
  'input',
  'prompt',
  'truncate',
  'options',
  'keep_alive',
  'dimensions',
])

/** Ollama's embeddings: of several texts, or of one in the older API. */
export const ollamaEmbed: Dialect = {
  name: 'ollama-embed',

  claims(request) {
    const body = bodyOf(request)
    if (typeof body.model !== 'string') return false
    if (!isForOllama(request) && !Object.keys(body).every((name) => FIELDS.has(name))) return false
    if (isSentTo(request, '/api/embeddings')) return typeof body.prompt === 'string'
    const { input } = body
    const isInput = typeof input === 'string' || arrayOf(input).length > 0
    return isSentTo(request, '/api/embed') && isInput
  },

  readPrompt(request) {
    const field = isSentTo(request, '/api/embeddings') ? 'prompt' : 'input'
    const prompt = readInputPrompt(request, 'embeddings', field)
    return { ...prompt, parameters: flatten(prompt.parameters, 'options') }
  },

  readCompletion(response) {
    return readAnswer(response, {
      read: ({ embeddings, embedding, prompt_eval_count }) =>
        embeddingsCompletion(
          embedding === undefined ? arrayOf(embeddings) : [embedding],
          counted({ inputTokens: numberOf(prompt_eval_count) }),
        ),
    })
  },

  writeCompletion(completion, request) {
    const { model, input } = bodyOf(request)
    const count = readEmbeddedInput(input).length
    const embeddings = makeUpEmbeddings(completion.text, count)
    const whole = isSentTo(request, '/api/embeddings')
      ? { embedding: embeddings[0] ?? [] }
      : jsonObject({ model, embeddings, prompt_eval_count: completion.usage?.inputTokens })
    return writeAnswer(completion, { whole }, (error) => ({ error }))
  },
}
