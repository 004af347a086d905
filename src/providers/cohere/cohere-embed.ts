import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Message } from '../../prompt/prompt.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { contentAt } from '../kit/blob.ts'
import { readCohereUsage, writeCohereUsage } from './cohere-chat.ts'
import { readContent } from '../content.ts'
import { embeddingsCompletion, makeUpEmbeddings, readEmbeddedInput } from '../kit/embeddings.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, filledIn, listsIn, objectOf } from '../fields.ts'
import { unknownMessage } from '../kit/messages.ts'
import { readOpenAiPart } from '../openai/openai-messages.ts'
import { Remainder } from '../kit/remainder.ts'
import { writeAnswer } from '../kit/write-answer.ts'

/** Cohere's embeddings, in their second version. */
export const cohereEmbed: Dialect = {
  name: 'cohere-embed',

  claims(request) {
    const body = bodyOf(request)
    const asks = listsIn(body, 'texts', 'images', 'inputs').length > 0
    return isSentTo(request, '/v2/embed') && typeof body.model === 'string' && asks
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const lists = listsIn(body, 'texts', 'images', 'inputs')
    return {
      ...readEnvelope(request, 'embeddings', lists),
      messages: lists.flatMap((list) => readList(list, body)),
      tools: [],
    }
  },

  readCompletion(response) {
    return readAnswer(response, {
      read: ({ embeddings, meta }) =>
        embeddingsCompletion(
          arrayOf(Object.values(objectOf(embeddings))[0]),
          readCohereUsage(meta),
        ),
    })
  },

  writeCompletion(completion, request) {
    const body = bodyOf(request)
    const count = this.readPrompt(request).messages.length
    const vectors = makeUpEmbeddings(completion.text, count)
    const types = arrayOf(body.embedding_types).filter((type) => typeof type === 'string')
    const embeddings = (types.length > 0 ? types : ['float']).map((type) => [type, vectors])
    const whole = {
      id: '00000000-0000-0000-0000-000000000000',
      embeddings: Object.fromEntries(embeddings) as JsonObject,
      ...(completion.usage ? { meta: writeCohereUsage(completion.usage) } : {}),
    }
    return writeAnswer(completion, { whole }, (message) => ({ message }))
  },
}

function readList(list: string, body: JsonObject): Message[] {
  if (list === 'texts') return readEmbeddedInput(body.texts)
  return arrayOf(body[list]).map((value) => {
    const rest = new Remainder()
    if (typeof value === 'string') return { role: 'user', parts: [contentAt(value)] }
    if (!isJsonObject(value)) return unknownMessage(value, 'user')
    const parts = readContent(value.content, 'content', rest, readOpenAiPart)
    rest.keep('', value, filledIn(value, 'content'))
    return { role: 'user', parts, ...rest.extra }
  })
}
