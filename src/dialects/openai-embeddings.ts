import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Message, Part } from '../prompt/prompt.ts'
import { readAnswer } from './answer.ts'
import type { Dialect } from './dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from './envelope.ts'
import { arrayOf, objectOf } from './fields.ts'
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
    const { input } = bodyOf(request)
    const messages = inputsOf(input).map(readInput)
    return {
      ...readEnvelope(request, 'embeddings', messages.length > 0 ? ['input'] : []),
      messages,
      tools: [],
    }
  },

  readCompletion(response) {
    return readAnswer(response, { read })
  },
}

/** One message for each thing that gets an embedding; an array of numbers is one text in tokens. */
function inputsOf(input: JsonValue | undefined): JsonValue[] {
  if (input === undefined) return []
  const isList = Array.isArray(input) && typeof input[0] !== 'number'
  return isList ? input : [input]
}

function readInput(value: JsonValue): Message {
  const part: Part =
    typeof value === 'string' ? { type: 'text', text: value } : { type: 'other', value }
  return { role: 'user', parts: [part] }
}

function read(body: JsonObject): Completion {
  const usage = objectOf(body.usage)
  const embeddings = arrayOf(body.data).map((item) => objectOf(item).embedding)
  return {
    text: describe(embeddings),
    toolCalls: [],
    finishReasons: [],
    // Some count the total only, and nothing but input is in it.
    usage: readOpenAiUsage({ prompt_tokens: usage.total_tokens ?? null, ...usage }),
  }
}

/** Nobody reads numbers by the thousand: their count says whether the answer fits the question. */
function describe(embeddings: (JsonValue | undefined)[]): string {
  const { length } = embeddings
  if (length === 0) return ''
  const dimensions = dimensionsOf(embeddings[0])
  return `${length} ${length === 1 ? 'embedding' : 'embeddings'} of ${dimensions} dimensions`
}

function dimensionsOf(embedding: JsonValue | undefined): number {
  // Base64 holds four bytes for each number.
  if (typeof embedding === 'string') return Math.floor(Buffer.byteLength(embedding, 'base64') / 4)
  return arrayOf(embedding).length
}
