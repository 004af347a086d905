import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message } from '../../prompt/prompt.ts'
import { readContent } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, filledIn, listsIn, objectOf } from '../fields.ts'
import { contentAt } from '../kit/blob.ts'
import { embeddingsDialect, readEmbeddedInput } from '../kit/embeddings.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { unknownMessage } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'
import { readOpenAiPart } from '../openai/openai-messages.ts'
import { readCohereUsage, writeCohereUsage } from './cohere-chat.ts'

/** Cohere's embeddings, in their second version. */
export const cohereEmbed: Dialect = embeddingsDialect({
  name: 'cohere-embed',
  renewed: { id: ['id'] },

  claims(request) {
    const body = bodyOf(request)
    const asks = cohereLists(body).length > 0
    return isSentTo(request, '/v2/embed') && typeof body.model === 'string' && asks
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const lists = cohereLists(body)
    return {
      ...readEnvelope(request, 'embeddings', lists),
      messages: lists.flatMap((list) =>
        list === 'texts' ? readEmbeddedInput(body.texts) : arrayOf(body[list]).map(readCohereInput),
      ),
      tools: [],
    }
  },

  vectors: ({ embeddings }) => arrayOf(Object.values(objectOf(embeddings))[0]),

  usage: ({ meta }) => readCohereUsage(meta),

  write(vectors, request, usage) {
    const types = arrayOf(bodyOf(request).embedding_types).filter(
      (type) => typeof type === 'string',
    )
    const embeddings = (types.length > 0 ? types : ['float']).map((type) => [type, vectors])
    return {
      id: '00000000-0000-0000-0000-000000000000',
      embeddings: Object.fromEntries(embeddings) as JsonObject,
      ...(usage ? { meta: writeCohereUsage(usage) } : {}),
    }
  },

  writeFailure: (message) => ({ message }),
})

function cohereLists(body: JsonObject): string[] {
  return listsIn(body, 'texts', 'images', 'inputs')
}

function readCohereInput(value: JsonValue): Message {
  if (typeof value === 'string') return { role: 'user', parts: [contentAt(value)] }
  if (!isJsonObject(value)) return unknownMessage(value, 'user')
  const rest = new Remainder()
  const parts = readContent(value.content, 'content', rest, readOpenAiPart)
  rest.keep('', value, filledIn(value, 'content'))
  return { role: 'user', parts, ...rest.extra }
}
