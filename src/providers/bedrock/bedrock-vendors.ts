import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest } from '../../wire/message.ts'
import { reasonsOf } from '../content.ts'
import {
  arrayOf,
  counted,
  type Field,
  jsonObject,
  known,
  numberOf,
  objectOf,
  stringOf,
  unlessEmpty,
} from '../fields.ts'
import { Drafts } from '../kit/drafts.ts'
import { describeEmbeddings, makeUpEmbeddings } from '../kit/embeddings.ts'
import { bodyOf } from '../kit/envelope.ts'
import type { AnswerFormat } from '../kit/read-answer.ts'
import { reasonOr, splitWords } from '../kit/write-answer.ts'
import { chatChunks, readOpenAiUsage, wholeOf } from '../openai/openai-chat.ts'
import { readUsage } from '../kit/usage.ts'
import { BEDROCK_USAGE } from './bedrock-converse.ts'

/** The answers of vendors on Bedrock that name their one or several texts in their own way. */
export const vendorFormat: AnswerFormat = {
  read(body) {
    const answers = answersIn(body)
    const texts = answers.flatMap((answer) => textOf(answer) ?? [])
    return {
      text: texts.join('\n\n') || describeEmbeddings(embeddingsIn(body)),
      finishReasons: [body, ...answers.filter((answer) => answer !== body)].flatMap(reasonOf),
      usage: usageIn(body, answers),
    }
  },

  /** Each event repeats the form of the whole answer with a piece of its text. */
  join(events) {
    let fields: JsonObject = {}
    const texts = new Drafts<string>()
    const reasons: JsonValue[] = []
    for (const { data } of events) {
      const [answer = {}] = answersIn(data)
      const text = textOf(answer)
      const index = numberOf(data.index, answer.index) ?? 0
      if (text !== undefined) texts.set(index, (texts.get(index) ?? '') + text)
      reasons.push(...[data, ...(answer === data ? [] : [answer])].flatMap(reasonOf))
      fields = { ...fields, ...known(data) }
    }
    const { [METRICS]: metrics = null, prompt_token_count: prompt = null } = fields
    const { generation_token_count: generated = null, inputTextTokenCount: input = null } = fields
    const body = {
      outputs: texts.inOrder().map((text) => ({ text })),
      [METRICS]: metrics,
      prompt_token_count: prompt,
      generation_token_count: generated,
      inputTextTokenCount: input,
      // Vendors that answer in choices count as OpenAI does.
      usage: (fields.choices && fields.usage) ?? null,
      stop_reason: reasons.at(-1) ?? null,
    }
    return { body, whole: reasons.length > 0 || metrics !== null }
  },
}

/** The fields of a text: Llama, Claude before its messages, Titan, Cohere. */
const TEXTS = ['generation', 'completion', 'outputText', 'text']

/** The fields of several answers: Titan, Mistral, Cohere, AI21, imported models. */
const LISTS = ['results', 'outputs', 'generations', 'completions', 'choices']

const REASONS = ['stop_reason', 'completionReason', 'finish_reason', 'finishReason']

/** The field that Bedrock adds to the last event of a stream. */
const METRICS = 'amazon-bedrock-invocationMetrics'

function answersIn(body: JsonObject): JsonObject[] {
  const list = LISTS.find((name) => arrayOf(body[name]).length > 0)
  return list === undefined ? [body] : arrayOf(body[list]).map(objectOf)
}

function textOf(answer: JsonObject): string | undefined {
  const name = TEXTS.find((text) => typeof answer[text] === 'string')
  return name === undefined ? stringOf(objectOf(answer.data).text) : stringOf(answer[name])
}

function reasonOf(answer: JsonObject): string[] {
  const reason = REASONS.map((name) => answer[name]).find((value) => value)
  return reasonsOf(stringOf(reason) ?? objectOf(reason).reason)
}

/** One vector, a list of them, or lists by their type. */
function embeddingsIn({ embedding, embeddings }: JsonObject): Field[] {
  if (Array.isArray(embedding)) return [embedding]
  // Nova names the source of each.
  if (Array.isArray(embeddings))
    return embeddings.map((one) => (isJsonObject(one) ? one.embedding : one))
  return arrayOf(Object.values(objectOf(embeddings))[0])
}

function usageIn(body: JsonObject, answers: JsonObject[]): Completion['usage'] {
  const measured = readUsage(BEDROCK_USAGE, body[METRICS])
  if (measured) return measured
  const outputs = answers.map((answer) => answer.tokenCount)
  const usual = readOpenAiUsage(body.usage)
  if (usual) return usual
  return counted({
    inputTokens: numberOf(body.prompt_token_count, body.inputTextTokenCount),
    outputTokens: numberOf(body.generation_token_count, body.totalOutputTextTokenCount, outputs[0]),
  })
}

/** An answer in one piece, under the names of the model's vendor. */
export function wholeOfVendor(
  completion: Completion,
  request: WireRequest,
  model: string,
): JsonObject {
  if (/embed/.test(model)) return embeddingsOf(completion, request, model)
  if (isChat(request)) return wholeOf(completion, request)
  return answerOf(completion, model, completion.text, true)
}

/** An answer in the events of a stream, under the names of the model's vendor. */
export function vendorEvents(
  completion: Completion,
  request: WireRequest,
  model: string,
): JsonObject[] {
  if (isChat(request)) return chatChunks(completion, request)
  const pieces = splitWords(completion.text)
  const { inputTokens, outputTokens } = completion.usage ?? {}
  const metrics = jsonObject({ inputTokenCount: inputTokens, outputTokenCount: outputTokens })
  return [
    ...pieces.map((piece) => pieceOf(completion, model, piece, false)),
    jsonObject({ ...pieceOf(completion, model, '', true), [METRICS]: unlessEmpty(metrics) }),
  ]
}

function isChat(request: WireRequest): boolean {
  return arrayOf(bodyOf(request).messages).length > 0
}

function answerOf(completion: Completion, model: string, text: string, last: boolean): JsonObject {
  const { inputTokens, outputTokens } = completion.usage ?? {}
  const reason = last ? reasonOr(completion, 'stop') : undefined
  if (model.includes('meta.')) {
    return jsonObject({
      generation: text,
      prompt_token_count: inputTokens,
      generation_token_count: outputTokens,
      stop_reason: reason,
    })
  }
  if (model.includes('mistral.')) return { outputs: [jsonObject({ text, stop_reason: reason })] }
  if (model.includes('cohere.')) {
    return { generations: [jsonObject({ text, finish_reason: reason })] }
  }
  if (model.includes('anthropic.')) return jsonObject({ completion: text, stop_reason: reason })
  const result = jsonObject({
    tokenCount: outputTokens,
    outputText: text,
    completionReason: reason,
  })
  return jsonObject({ inputTextTokenCount: inputTokens, results: [result] })
}

/** Titan's stream has no list around its pieces; all others repeat the form of the whole. */
function pieceOf(completion: Completion, model: string, text: string, last: boolean): JsonObject {
  const { results, ...answer } = answerOf(completion, model, text, last)
  if (results === undefined) return answer
  const [result = {}] = arrayOf(results) as JsonObject[]
  const { tokenCount: _, ...piece } = result
  return { ...piece, index: 0 }
}

function embeddingsOf(
  { text, usage }: Completion,
  request: WireRequest,
  model: string,
): JsonObject {
  const { texts } = bodyOf(request)
  const embeddings = makeUpEmbeddings(text, Math.max(1, arrayOf(texts).length))
  const written: JsonObject = model.includes('cohere.')
    ? { id: 'written', response_type: 'embeddings_floats', embeddings }
    : { embedding: embeddings[0] ?? [] }
  return jsonObject({ ...written, inputTextTokenCount: usage?.inputTokens })
}
