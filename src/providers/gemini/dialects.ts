import type { Dialect } from '../dialect.ts'
import { geminiCountTokens } from './gemini-count-tokens.ts'
import { geminiEmbeddings } from './gemini-embeddings.ts'
import { geminiGenerate } from './gemini-generate.ts'
import { geminiInteractions } from './gemini-interactions.ts'
import { geminiLive } from './gemini-live.ts'

export const geminiDialects: readonly Dialect[] = [
  geminiGenerate,
  geminiEmbeddings,
  geminiCountTokens,
  geminiInteractions,
  geminiLive,
]
