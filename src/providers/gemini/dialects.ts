import { isJsonObject } from '../../json/json-value.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf } from '../fields.ts'
import { bodyOf } from '../kit/envelope.ts'
import { countingDialect } from '../kit/token-counts.ts'
import { geminiEmbeddings } from './gemini-embeddings.ts'
import { geminiGenerate } from './gemini-generate.ts'
import { geminiInteractions } from './gemini-interactions.ts'
import { geminiLive } from './gemini-live.ts'
import { geminiTarget, readGeminiPrompt, readGeminiTalk } from './gemini-prompt.ts'

/** Gemini's countTokens. */
const geminiCountTokens: Dialect = countingDialect({
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
    return readGeminiPrompt(request, 'count_tokens', asked, readGeminiTalk)
  },

  tokens: 'totalTokens',
  cached: 'cachedContentTokenCount',
})

export const geminiDialects: readonly Dialect[] = [
  geminiGenerate,
  geminiEmbeddings,
  geminiCountTokens,
  geminiInteractions,
  geminiLive,
]
