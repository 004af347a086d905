import { isJsonObject } from '../../json/json-value.ts'
import { readAnswer } from '../kit/read-answer.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf } from '../kit/envelope.ts'
import { arrayOf, counted, jsonObject, numberOf } from '../fields.ts'
import { geminiTarget, readGeminiEnvelope, readGeminiTalk } from './gemini-prompt.ts'
import { writeAnswer } from '../kit/write-answer.ts'

const COUNTED = /^(\d+) tokens$/

/** Gemini's countTokens: a prompt that no model answers. */
export const geminiCountTokens: Dialect = {
  name: 'gemini-count-tokens',

  claims(request) {
    const { contents, generateContentRequest } = bodyOf(request)
    const asks = arrayOf(contents).length > 0 || isJsonObject(generateContentRequest)
    return geminiTarget(request).method === 'countTokens' && asks
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { generateContentRequest: nested, ...others } = body
    // The body may name a whole request to count, instead of its contents.
    const counted = isJsonObject(nested) ? { ...others, ...nested } : body
    const { messages, tools, read } = readGeminiTalk(counted)
    const envelope = readGeminiEnvelope(request, 'count_tokens', counted, read)
    return { ...envelope, messages, tools }
  },

  readCompletion(response) {
    return readAnswer(response, {
      read: ({ totalTokens, cachedContentTokenCount }) => {
        const inputTokens = numberOf(totalTokens)
        const cacheReadInputTokens = numberOf(cachedContentTokenCount)
        return {
          text: inputTokens === undefined ? '' : `${inputTokens} tokens`,
          toolCalls: [],
          finishReasons: [],
          usage: counted({ inputTokens, cacheReadInputTokens }),
        }
      },
    })
  },

  writeCompletion(completion) {
    const { text, usage } = completion
    const whole = jsonObject({
      totalTokens: usage?.inputTokens ?? Number(COUNTED.exec(text)?.[1] ?? 0),
      cachedContentTokenCount: usage?.cacheReadInputTokens,
    })
    return writeAnswer(completion, { whole })
  },
}
