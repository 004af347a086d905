import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message } from '../../prompt/prompt.ts'
import { readContent } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, counted, filledIn, jsonObject, numberOf, objectOf, sumOf } from '../fields.ts'
import { embeddingsDialect } from '../kit/embeddings.ts'
import { bodyOf } from '../kit/envelope.ts'
import { unknownMessage } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'
import { geminiTarget, readGeminiPart, readGeminiPrompt } from './gemini-prompt.ts'

/** The field with the list of inputs, by Gemini's method; a request for one embedding has none. */
const GEMINI_LISTS: Record<string, string | undefined> = {
  embedContent: undefined,
  batchEmbedContents: 'requests',
  predict: 'instances',
}

/** Gemini's embeddings, one or many at once, and those of Vertex. */
export const geminiEmbeddings: Dialect = embeddingsDialect({
  name: 'gemini-embeddings',

  claims(request) {
    const { method = '' } = geminiTarget(request)
    if (!Object.hasOwn(GEMINI_LISTS, method)) return false
    const body = bodyOf(request)
    const list = GEMINI_LISTS[method]
    // Other models of Vertex predict other things than embeddings.
    const { content } = objectOf(list === undefined ? body : arrayOf(body[list])[0])
    return method === 'predict' ? typeof content === 'string' : isJsonObject(content)
  },

  readPrompt(request) {
    const list = GEMINI_LISTS[geminiTarget(request).method ?? '']
    const fields = bodyOf(request)
    return readGeminiPrompt(request, 'embeddings', fields, (body) => {
      const only = (): JsonObject[] =>
        filledIn(fields, 'content').map((name) => ({ content: body.any(name)! }))
      return { messages: (list === undefined ? only() : body.list(list)).map(readGeminiInput) }
    })
  },

  vectors: ({ embedding, embeddings, predictions }) =>
    [
      ...(isJsonObject(embedding) ? [embedding] : arrayOf(embeddings)),
      ...arrayOf(predictions).map((item) => objectOf(item).embeddings),
    ].map((one) => objectOf(one).values),

  usage({ usageMetadata, predictions }) {
    const counts = arrayOf(predictions).map(
      (item) => objectOf(objectOf(objectOf(item).embeddings).statistics).token_count,
    )
    const inputTokens = numberOf(objectOf(usageMetadata).promptTokenCount) ?? sumOf(...counts)
    return counted({ inputTokens })
  },

  write(vectors, request, usage) {
    const embeddings = vectors.map((values) => ({ values }))
    const written: Record<string, JsonObject> = {
      predict: { predictions: embeddings.map((one) => ({ embeddings: one })) },
      embedContent: { embedding: embeddings[0] ?? { values: [] } },
      batchEmbedContents: { embeddings },
    }
    const usageMetadata = usage && { promptTokenCount: usage.inputTokens ?? 0 }
    return jsonObject({ ...written[geminiTarget(request).method ?? ''], usageMetadata })
  },
})

function readGeminiInput(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value, 'user')
  const rest = new Remainder()
  const { content } = value
  const text = typeof content === 'string'
  const parts = isJsonObject(content) ? filledIn(content, 'parts') : []
  rest.keep('', value, text || parts.length > 0 ? ['content'] : [])
  if (isJsonObject(content) && parts.length > 0) rest.keep('content', content, parts)
  const said = text ? content : parts.length > 0 ? objectOf(content).parts : undefined
  const read = readContent(said, 'content.parts', rest, readGeminiPart)
  return { role: 'user', parts: read, ...rest.extra }
}
