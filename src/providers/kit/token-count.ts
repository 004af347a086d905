import type { WireRequest } from '../../wire/message.ts'
import { anthropicMessages } from '../anthropic/anthropic-messages.ts'
import { readAnswer } from './read-answer.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo } from './envelope.ts'
import { arrayOf, jsonObject, numberOf } from '../fields.ts'
import { writeChatFailure } from '../openai/openai-chat.ts'
import { openaiResponses } from '../openai/openai-responses.ts'
import { writeAnswer } from './write-answer.ts'

const COUNTED = /^(\d+) tokens$/

/** Anthropic's and OpenAI's counting of tokens: a prompt that no model answers. */
export const tokenCount: Dialect = {
  name: 'token-count',

  claims(request) {
    const { messages, input, model } = bodyOf(request)
    if (isResponse(request)) return input !== undefined
    const asks = typeof model === 'string' && arrayOf(messages).length > 0
    return isSentTo(request, '/messages/count_tokens') && asks
  },

  readPrompt(request) {
    const { readPrompt } = isResponse(request) ? openaiResponses : anthropicMessages
    return { ...readPrompt(request), operation: 'count_tokens' }
  },

  readCompletion(response) {
    return readAnswer(response, {
      read({ input_tokens: tokens }) {
        const inputTokens = numberOf(tokens)
        const counted = inputTokens !== undefined
        return {
          text: counted ? `${inputTokens} tokens` : '',
          toolCalls: [],
          finishReasons: [],
          usage: counted ? { inputTokens } : undefined,
        }
      },
    })
  },

  writeCompletion(completion, request) {
    const { text, usage } = completion
    const input_tokens = usage?.inputTokens ?? Number(COUNTED.exec(text)?.[1] ?? 0)
    const object = isResponse(request) ? 'response.input_tokens' : undefined
    return writeAnswer(
      completion,
      { whole: jsonObject({ object, input_tokens }) },
      writeChatFailure,
    )
  },
}

function isResponse(request: WireRequest): boolean {
  return isSentTo(request, '/responses/input_tokens')
}
