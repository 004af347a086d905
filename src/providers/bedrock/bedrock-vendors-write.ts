import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest } from '../../wire/message.ts'
import { makeUpEmbeddings } from '../kit/describe-embeddings.ts'
import { bodyOf } from '../kit/envelope.ts'
import { arrayOf, jsonObject } from '../fields.ts'
import { chatChunks, wholeOf } from '../openai/openai-chat-write.ts'
import { reasonOr, splitWords } from '../kit/write-answer.ts'

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
  const counted = Object.keys(metrics).length > 0
  return [
    ...pieces.map((piece) => pieceOf(completion, model, piece, false)),
    {
      ...pieceOf(completion, model, '', true),
      ...(counted ? { 'amazon-bedrock-invocationMetrics': metrics } : {}),
    },
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
