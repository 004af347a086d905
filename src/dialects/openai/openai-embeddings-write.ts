import type { JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { makeUpEmbeddings } from '../kit/describe-embeddings.ts'
import { readEmbeddedInput } from '../kit/embedded-input.ts'
import { bodyOf } from '../kit/envelope.ts'
import { stringOf } from '../kit/fields.ts'
import { usageOf, writeChatFailure } from './openai-chat-write.ts'
import { writeAnswer } from '../kit/write-answer.ts'

/** Writes embeddings, as numbers or as base64; their numbers are made up. */
export function writeEmbeddingsAnswer(completion: Completion, request: WireRequest): WireResponse {
  const { model, input, encoding_format: format } = bodyOf(request)
  const embeddings = makeUpEmbeddings(completion.text, readEmbeddedInput(input).length)
  const whole = {
    object: 'list',
    data: embeddings.map((embedding, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? base64Of(embedding) : embedding,
    })),
    model: stringOf(model) ?? '',
    ...usageOf(completion.usage),
  }
  return writeAnswer(completion, { whole }, writeChatFailure)
}

function base64Of(embedding: number[]): JsonValue {
  return Buffer.from(new Float32Array(embedding).buffer).toString('base64')
}
