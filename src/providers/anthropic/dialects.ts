import type { WireRequest } from '../../wire/message.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf } from '../fields.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { countingDialect } from '../kit/token-counts.ts'
import { writeChatFailure } from '../openai/openai-chat.ts'
import { openaiResponses } from '../openai/openai-responses.ts'
import { anthropicComplete } from './anthropic-complete.ts'
import { anthropicMessages } from './anthropic-messages.ts'

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
