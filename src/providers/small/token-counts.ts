import { isJsonObject } from '../../json/json-value.ts'
import type { WireRequest } from '../../wire/message.ts'
import { anthropicMessages } from '../anthropic/anthropic-messages.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, counted, jsonObject, numberOf } from '../fields.ts'
import { geminiTarget, readGeminiEnvelope, readGeminiTalk } from '../gemini/gemini-prompt.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { writeAnswer, type WriteFailure } from '../kit/write-answer.ts'
import { writeChatFailure } from '../openai/openai-chat.ts'
import { openaiResponses } from '../openai/openai-responses.ts'

const COUNTED = /^(\d+) tokens$/

/** A format that counts the tokens of a prompt, which no model answers. */
interface Counting extends Pick<Dialect, 'name' | 'claims' | 'readPrompt'> {
  /** The field with the tokens. */
  tokens: string
  /** The field with those of them that are cached. */
  cached?: string
  /** The field `object` of an answer. */
  object?(request: WireRequest): string | undefined
  writeFailure?: WriteFailure
}

function countingOf({ tokens, cached, object, writeFailure, ...format }: Counting): Dialect {
  return {
    ...format,
    readCompletion: (response) =>
      readAnswer(response, {
        read(body) {
          const inputTokens = numberOf(body[tokens])
          const cacheReadInputTokens = cached === undefined ? undefined : numberOf(body[cached])
          return {
            text: inputTokens === undefined ? '' : `${inputTokens} tokens`,
            toolCalls: [],
            finishReasons: [],
            usage: counted({ inputTokens, cacheReadInputTokens }),
          }
        },
      }),
    writeCompletion(completion, request) {
      const { text, usage } = completion
      const whole = jsonObject({
        object: object?.(request),
        [tokens]: usage?.inputTokens ?? Number(COUNTED.exec(text)?.[1] ?? 0),
        ...(cached === undefined ? {} : { [cached]: usage?.cacheReadInputTokens }),
      })
      return writeAnswer(completion, { whole }, writeFailure)
    },
  }
}

/** Anthropic's and OpenAI's counting of tokens. */
export const tokenCount: Dialect = countingOf({
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

/** Gemini's countTokens. */
export const geminiCountTokens: Dialect = countingOf({
  name: 'gemini-count-tokens',

  claims(request) {
    const { contents, generateContentRequest } = bodyOf(request)
    const asks = arrayOf(contents).length > 0 || isJsonObject(generateContentRequest)
    return geminiTarget(request).method === 'countTokens' && asks
  },

  readPrompt(request) {
    const { generateContentRequest: nested, ...others } = bodyOf(request)
    // The body may name a whole request to count, instead of its contents.
    const asked = isJsonObject(nested) ? { ...others, ...nested } : bodyOf(request)
    const { messages, tools, read } = readGeminiTalk(asked)
    return { ...readGeminiEnvelope(request, 'count_tokens', asked, read), messages, tools }
  },

  tokens: 'totalTokens',
  cached: 'cachedContentTokenCount',
})
