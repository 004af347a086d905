import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { readContent } from '../content.ts'
import { embeddingsCompletion, makeUpEmbeddings } from '../kit/embeddings.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf } from '../kit/envelope.ts'
import {
  arrayOf,
  counted,
  filledIn,
  listsIn,
  numberOf,
  objectOf,
  stringsIn,
  sumOf,
} from '../fields.ts'
import { unknownMessage } from '../kit/messages.ts'
import { geminiTarget, readGeminiEnvelope, readGeminiPart } from './gemini-prompt.ts'
import { Remainder } from '../kit/remainder.ts'
import { writeAnswer } from '../kit/write-answer.ts'

/** The field with the list of inputs, by method; a request for one embedding has none. */
const LISTS: Record<string, string | undefined> = {
  embedContent: undefined,
  batchEmbedContents: 'requests',
  predict: 'instances',
}

/** Gemini's embeddings, one or many at once, and those of Vertex. */
export const geminiEmbeddings: Dialect = {
  name: 'gemini-embeddings',

  claims(request) {
    const { method = '' } = geminiTarget(request)
    if (!Object.hasOwn(LISTS, method)) return false
    const [first] = inputsOf(request)
    // Other models of Vertex predict other things than embeddings.
    const { content } = objectOf(first)
    return method === 'predict' ? typeof content === 'string' : isJsonObject(content)
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const list = listOf(request)
    const read = list === undefined ? filledIn(body, 'content') : listsIn(body, list)
    const alone = list === undefined && read.length > 0
    const inputs = alone ? [{ content: body.content! }] : list ? arrayOf(body[list]) : []
    return {
      ...readGeminiEnvelope(request, 'embeddings', body, read),
      messages: inputs.map(readInput),
      tools: [],
    }
  },

  readCompletion: (response) => readAnswer(response, { read }),

  writeCompletion(completion, request) {
    const { method } = geminiTarget(request)
    const { text, usage } = completion
    const vectors = makeUpEmbeddings(text, inputsOf(request).length)
    const embeddings = vectors.map((values) => ({ values }))
    const whole: JsonObject =
      method === 'predict'
        ? { predictions: embeddings.map((values) => ({ embeddings: values })) }
        : method === 'embedContent'
          ? { embedding: embeddings[0] ?? { values: [] } }
          : { embeddings }
    if (usage) whole.usageMetadata = { promptTokenCount: usage.inputTokens ?? 0 }
    return writeAnswer(completion, { whole })
  },
}

function listOf(request: WireRequest): string | undefined {
  return LISTS[geminiTarget(request).method ?? '']
}

function inputsOf(request: WireRequest): JsonValue[] {
  const body = bodyOf(request)
  const list = listOf(request)
  return list === undefined ? [body] : arrayOf(body[list])
}

function readInput(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value, 'user')
  const rest = new Remainder()
  const { content } = value
  const text = stringsIn(value, 'content').length > 0
  const parts = isJsonObject(content) ? filledIn(content, 'parts') : []
  rest.keep('', value, text || parts.length > 0 ? ['content'] : [])
  if (isJsonObject(content) && parts.length > 0) rest.keep('content', content, parts)
  const said = text ? content : parts.length > 0 ? objectOf(content).parts : undefined
  return {
    role: 'user',
    parts: readContent(said, 'content.parts', rest, readGeminiPart),
    ...rest.extra,
  }
}

function read(body: JsonObject): Completion {
  const predictions = arrayOf(body.predictions).map((item) => objectOf(objectOf(item).embeddings))
  const embeddings = [
    ...(isJsonObject(body.embedding) ? [body.embedding] : arrayOf(body.embeddings).map(objectOf)),
    ...predictions,
  ]
  const counts = predictions.map(({ statistics }) => objectOf(statistics).token_count)
  const inputTokens = numberOf(objectOf(body.usageMetadata).promptTokenCount) ?? sumOf(...counts)
  return embeddingsCompletion(
    embeddings.map(({ values }) => values),
    counted({ inputTokens }),
  )
}
