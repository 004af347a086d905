import type { JsonObject } from '../../json/json-value.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { embeddingsCompletion, makeUpEmbeddings, readEmbeddedInput } from '../kit/embeddings.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, counted, numberOf, objectOf } from '../fields.ts'
import { writeAnswer } from '../kit/write-answer.ts'

/** Embeddings of Vercel's gateway, which gets the model in a header. */
export const vercelEmbeddings: Dialect = {
  name: 'vercel-embeddings',

  claims(request) {
    return isSentTo(request, '/ai/embedding-model') && arrayOf(bodyOf(request).values).length > 0
  },

  readPrompt(request) {
    const { model, ...envelope } = readEnvelope(request, 'embeddings', ['values'])
    const { 'ai-model-id': id = model } = request.headers ?? {}
    const sent: JsonObject = model === undefined || model === id ? {} : { model }
    return {
      ...envelope,
      ...(id === undefined ? {} : { model: id }),
      parameters: { ...sent, ...envelope.parameters },
      messages: readEmbeddedInput(bodyOf(request).values),
      tools: [],
    }
  },

  readCompletion(response) {
    return readAnswer(response, {
      read: ({ embeddings, usage }) =>
        embeddingsCompletion(
          arrayOf(embeddings),
          counted({ inputTokens: numberOf(objectOf(usage).tokens) }),
        ),
    })
  },

  writeCompletion(completion, request) {
    const { inputTokens } = completion.usage ?? {}
    const whole = {
      embeddings: makeUpEmbeddings(completion.text, arrayOf(bodyOf(request).values).length),
      ...(inputTokens === undefined ? {} : { usage: { tokens: inputTokens } }),
    }
    return writeAnswer(completion, { whole })
  },
}
