import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import { readAnswer } from '../kit/answer.ts'
import { embeddingsCompletion } from '../kit/describe-embeddings.ts'
import type { Dialect } from '../kit/dialect.ts'
import { readInputPrompt } from '../kit/embedded-input.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { arrayOf, objectOf } from '../kit/fields.ts'
import { writeEmbeddingsAnswer } from './openai-embeddings-write.ts'
import { readOpenAiUsage } from './openai-usage.ts'

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

  readCompletion(response) {
    return readAnswer(response, { read })
  },

  writeCompletion: writeEmbeddingsAnswer,
}

function read(body: JsonObject): Completion {
  const usage = objectOf(body.usage)
  const embeddings = arrayOf(body.data).map((item) => objectOf(item).embedding)
  // Some providers count only a total, which is all input.
  const counts = { prompt_tokens: usage.total_tokens ?? null, ...usage }
  return embeddingsCompletion(embeddings, readOpenAiUsage(counts))
}
