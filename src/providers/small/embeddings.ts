import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Usage } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { readCohereUsage, writeCohereUsage } from '../cohere/cohere-chat.ts'
import { readContent } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import {
  arrayOf,
  counted,
  type Field,
  filledIn,
  flatten,
  jsonObject,
  listsIn,
  numberOf,
  objectOf,
  stringOf,
  stringsIn,
  sumOf,
  isFilled,
} from '../fields.ts'
import { geminiTarget, readGeminiEnvelope, readGeminiPart } from '../gemini/gemini-prompt.ts'
import { contentAt } from '../kit/blob.ts'
import {
  embeddingsCompletion,
  makeUpEmbeddings,
  readEmbeddedInput,
  readInputPrompt,
} from '../kit/embeddings.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { unknownMessage } from '../kit/messages.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { Remainder } from '../kit/remainder.ts'
import { writeAnswer, type WriteFailure } from '../kit/write-answer.ts'
import { isForOllama } from '../ollama/ollama-chat.ts'
import { chatUsage, readOpenAiUsage, writeChatFailure } from '../openai/openai-chat.ts'
import { readOpenAiPart } from '../openai/openai-messages.ts'

/** A format of embeddings. */
interface Embeddings extends Pick<Dialect, 'name' | 'claims' | 'readPrompt'> {
  /** The vectors of an answer. */
  vectors(body: JsonObject): readonly Field[]
  usage(body: JsonObject): Usage | undefined
  /** The body of an answer. */
  write(vectors: number[][], request: WireRequest, usage: Usage | undefined): JsonObject
  writeFailure?: WriteFailure
}

function dialectFor({ vectors, usage, write, writeFailure, ...format }: Embeddings): Dialect {
  return {
    ...format,
    readCompletion: (response) =>
      readAnswer(response, { read: (body) => embeddingsCompletion(vectors(body), usage(body)) }),
    /** The numbers are made up. */
    writeCompletion(completion, request) {
      const { length } = format.readPrompt(request).messages
      const whole = write(makeUpEmbeddings(completion.text, length), request, completion.usage)
      return writeAnswer(completion, { whole }, writeFailure)
    },
  }
}

/** OpenAI's embeddings. */
export const openaiEmbeddings: Dialect = dialectFor({
  name: 'openai-embeddings',

  claims(request) {
    if (!isSentTo(request, '/embeddings')) return false
    const { model, input } = bodyOf(request)
    // Azure has the model in the path.
    const named = typeof model === 'string' || request.url.includes('/deployments/')
    return named && isFilled(input)
  },

  readPrompt: (request) => readInputPrompt(request, 'embeddings', 'input'),

  vectors: ({ data }) => arrayOf(data).map((item) => objectOf(item).embedding),

  usage({ usage }) {
    const counts = objectOf(usage)
    // Some providers count only a total, which is all input.
    return readOpenAiUsage({ prompt_tokens: counts.total_tokens ?? null, ...counts })
  },

  write(vectors, request, usage) {
    const { model, encoding_format: format } = bodyOf(request)
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? base64Of(vector) : vector,
    }))
    return { object: 'list', data, model: stringOf(model) ?? '', ...chatUsage(usage) }
  },

  writeFailure: writeChatFailure,
})

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
export const ollamaEmbed: Dialect = dialectFor({
  name: 'ollama-embed',

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

/** Embeddings of Vercel's gateway, which gets the model in a header. */
export const vercelEmbeddings: Dialect = dialectFor({
  name: 'vercel-embeddings',

  claims: (request) =>
    isSentTo(request, '/ai/embedding-model') && arrayOf(bodyOf(request).values).length > 0,

  readPrompt(request) {
    const { model, ...prompt } = readInputPrompt(request, 'embeddings', 'values')
    const { 'ai-model-id': id = model } = request.headers ?? {}
    const sent: JsonObject = model === undefined || model === id ? {} : { model }
    const named = id === undefined ? {} : { model: id }
    return { ...prompt, ...named, parameters: { ...sent, ...prompt.parameters } }
  },

  vectors: ({ embeddings }) => arrayOf(embeddings),

  usage: ({ usage }) => counted({ inputTokens: numberOf(objectOf(usage).tokens) }),

  write: (embeddings, _, usage) =>
    jsonObject({
      embeddings,
      usage: usage?.inputTokens === undefined ? undefined : { tokens: usage.inputTokens },
    }),
})

/** Cohere's embeddings, in their second version. */
export const cohereEmbed: Dialect = dialectFor({
  name: 'cohere-embed',

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

/** The field with the list of inputs, by Gemini's method; a request for one embedding has none. */
const GEMINI_LISTS: Record<string, string | undefined> = {
  embedContent: undefined,
  batchEmbedContents: 'requests',
  predict: 'instances',
}

/** Gemini's embeddings, one or many at once, and those of Vertex. */
export const geminiEmbeddings: Dialect = dialectFor({
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
    const body = bodyOf(request)
    const list = GEMINI_LISTS[geminiTarget(request).method ?? '']
    const read = list === undefined ? filledIn(body, 'content') : listsIn(body, list)
    const only = read.length > 0 ? [{ content: body.content! }] : []
    const inputs = list === undefined ? only : arrayOf(body[list])
    const envelope = readGeminiEnvelope(request, 'embeddings', body, read)
    return { ...envelope, messages: inputs.map(readGeminiInput), tools: [] }
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
  const text = stringsIn(value, 'content').length > 0
  const parts = isJsonObject(content) ? filledIn(content, 'parts') : []
  rest.keep('', value, text || parts.length > 0 ? ['content'] : [])
  if (isJsonObject(content) && parts.length > 0) rest.keep('content', content, parts)
  const said = text ? content : parts.length > 0 ? objectOf(content).parts : undefined
  const read = readContent(said, 'content.parts', rest, readGeminiPart)
  return { role: 'user', parts: read, ...rest.extra }
}

function base64Of(embedding: number[]): string {
  return Buffer.from(new Float32Array(embedding).buffer).toString('base64')
}
