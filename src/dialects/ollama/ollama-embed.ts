import { readAnswer } from '../kit/answer.ts'
import { describeEmbeddings, makeUpEmbeddings } from '../kit/describe-embeddings.ts'
import type { Dialect } from '../kit/dialect.ts'
import { readEmbeddedInput } from '../kit/embedded-input.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, counted, jsonObject, numberOf } from '../kit/fields.ts'
import { flatten } from '../kit/flatten.ts'
import { isForOllama } from './ollama-host.ts'
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
    const body = bodyOf(request)
    const field = isSentTo(request, '/api/embeddings') ? 'prompt' : 'input'
    const messages = readEmbeddedInput(body[field])
    const envelope = readEnvelope(request, 'embeddings', messages.length > 0 ? [field] : [])
    return {
      ...envelope,
      parameters: flatten(envelope.parameters, 'options'),
      messages,
      tools: [],
    }
  },

  readCompletion(response) {
    return readAnswer(response, {
      read: ({ embeddings, embedding, prompt_eval_count }) => {
        const inputTokens = numberOf(prompt_eval_count)
        return {
          text: describeEmbeddings(embedding === undefined ? arrayOf(embeddings) : [embedding]),
          toolCalls: [],
          finishReasons: [],
          usage: counted({ inputTokens }),
        }
      },
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
