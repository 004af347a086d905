import type { JsonObject } from '../../json/json-value.ts'
import type { WireRequest } from '../../wire/message.ts'
import { reasonsOf } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, stringOf } from '../fields.ts'
import { readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { places } from '../kit/places.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { countingDialect } from '../kit/token-counts.ts'
import { byType, splitWords, writeAnswer } from '../kit/write-answer.ts'
import { writeChatFailure } from '../openai/openai-chat.ts'
import { openaiResponses } from '../openai/openai-responses.ts'
import { anthropicMessages, writeAnthropicFailure } from './anthropic-messages.ts'

/** Anthropic's text completions, the API before messages. */
const anthropicComplete: Dialect = {
  name: 'anthropic-complete',
  places: places('renewed', 'id', 'log_id'),

  claims(request) {
    const { model, prompt, max_tokens_to_sample: limit } = bodyOf(request)
    if (!isSentTo(request, '/v1/complete') || limit === undefined) return false
    return typeof model === 'string' && typeof prompt === 'string'
  },

  readPrompt: (request) => readInputPrompt(request, 'text_completion', 'prompt'),

  readCompletion: (response) =>
    readAnswer(response, {
      read: ({ completion, stop_reason }) => ({
        text: stringOf(completion) ?? '',
        finishReasons: reasonsOf(stop_reason),
      }),
      join(events) {
        const completion = events.map(({ data }) => stringOf(data.completion) ?? '').join('')
        const end = events.findLast(({ data }) => typeof data.stop_reason === 'string')
        const body = { completion, stop_reason: end?.data.stop_reason ?? null }
        return { body, whole: end !== undefined }
      },
    }),

  writeCompletion(completion, request) {
    const { text, finishReasons, incomplete } = completion
    const { model = '', stream } = bodyOf(request)
    const reason = finishReasons[0] ?? (incomplete ? null : 'stop_sequence')
    const piece = (said: string, stop_reason: string | null): JsonObject => {
      return { type: 'completion', id: 'compl_0', completion: said, stop_reason, model }
    }
    const pieces = splitWords(text).map((said) => piece(said, null))
    if (reason !== null) pieces.push(piece('', reason))
    const written = stream === true ? { events: byType(pieces) } : { whole: piece(text, reason) }
    return writeAnswer(completion, written, writeAnthropicFailure)
  },
}

/** The counting of tokens, at Anthropic and at OpenAI. */
const tokenCount = countingDialect({
  name: 'token-count',

  claims(request) {
    const { messages, input, model } = bodyOf(request)
    if (isOfResponse(request)) return input !== undefined
    const asks = typeof model === 'string' && arrayOf(messages).length > 0
    return isSentTo(request, '/messages/count_tokens') && asks
  },

  readPrompt(request) {
    const { readPrompt } = isOfResponse(request) ? openaiResponses : anthropicMessages
    return { ...readPrompt(request), operation: 'count_tokens' }
  },

  tokens: 'input_tokens',
  object: (request) => (isOfResponse(request) ? 'response.input_tokens' : undefined),
  writeFailure: writeChatFailure,
})

function isOfResponse(request: WireRequest): boolean {
  return isSentTo(request, '/responses/input_tokens')
}

export const anthropicDialects: readonly Dialect[] = [
  anthropicMessages,
  anthropicComplete,
  tokenCount,
]
