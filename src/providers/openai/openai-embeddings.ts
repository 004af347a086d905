import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import { readAnswer } from '../kit/read-answer.ts'
import {
  embeddingsCompletion,
  makeUpEmbeddings,
  readEmbeddedInput,
  readInputPrompt,
} from '../kit/embeddings.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { arrayOf, objectOf, stringOf } from '../fields.ts'
import { writeAnswer } from '../kit/write-answer.ts'
import { chatUsage, readOpenAiUsage, writeChatFailure } from './openai-chat.ts'

/** OpenAI's embeddings. */
export const openaiEmbeddings: Dialect = {
  name: 'openai-embeddings',

  claims(request) {
    if (!isSentTo(request, '/embeddings')) return false
    const { model, input } = bodyOf(request)
    // Azure has the model in the path.
    const named = typeof model === 'string' || request.url.includes('/deployments/')
    return named && (typeof input === 'string' || arrayOf(input).length > 0)
  },

  readPrompt(request) {
    return readInputPrompt(request, 'embeddings', 'input')
  },

  readCompletion: (response) => readAnswer(response, { read }),

  /** Writes embeddings, as numbers or as base64; their numbers are made up. */
  writeCompletion(completion, request) {
    const { model, input, encoding_format: format } = bodyOf(request)
    const embeddings = makeUpEmbeddings(completion.text, readEmbeddedInput(input).length)
    const whole = {
      object: 'list',
      data: embeddings.map((embedding, index) => ({
        object: 'embedding',
        index,
        embedding: format === 'base64' ? base64Of(embedding) : embedding,
      })),
      model: stringOf(model) ?? '',
      ...chatUsage(completion.usage),
    }
    return writeAnswer(completion, { whole }, writeChatFailure)
  },
}

function read(body: JsonObject): Completion {
  const usage = objectOf(body.usage)
  const embeddings = arrayOf(body.data).map((item) => objectOf(item).embedding)
  // Some providers count only a total, which is all input.
  const counts = { prompt_tokens: usage.total_tokens ?? null, ...usage }
  return embeddingsCompletion(embeddings, readOpenAiUsage(counts))
}

function base64Of(embedding: number[]): JsonValue {
  return Buffer.from(new Float32Array(embedding).buffer).toString('base64')
}
