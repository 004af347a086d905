import type { WireRequest } from '../wire/message.ts'
import { anthropicComplete } from './anthropic-complete.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { bedrockInvoke } from './bedrock-invoke.ts'
import { cloudflareRun } from './cloudflare-run.ts'
import { cohereChat } from './cohere-chat.ts'
import { cohereEmbed } from './cohere-embed.ts'
import { cohereRerank } from './cohere-rerank.ts'
import type { Dialect } from './dialect.ts'
import { geminiCountTokens } from './gemini-count-tokens.ts'
import { geminiEmbeddings } from './gemini-embeddings.ts'
import { geminiGenerate } from './gemini-generate.ts'
import { geminiInteractions } from './gemini-interactions.ts'
import { geminiLive } from './gemini-live.ts'
import { generic } from './generic.ts'
import { huggingFaceText } from './hugging-face-text.ts'
import { ollamaChat } from './ollama-chat.ts'
import { ollamaEmbed } from './ollama-embed.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiCompletions } from './openai-completions.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { openaiRealtime } from './openai-realtime.ts'
import { openaiResponses } from './openai-responses.ts'
import { tokenCount } from './token-count.ts'
import { replicate } from './replicate.ts'
import { vercelEmbeddings } from './vercel-embeddings.ts'
import { vercelGateway } from './vercel-gateway.ts'

/** Every dialect, in the order in which they are asked; the last one claims whatever is left. */
export const dialects: readonly Dialect[] = [
  openaiChat,
  openaiResponses,
  openaiRealtime,
  openaiEmbeddings,
  anthropicMessages,
  geminiGenerate,
  geminiEmbeddings,
  geminiCountTokens,
  geminiInteractions,
  geminiLive,
  cohereChat,
  cohereEmbed,
  cohereRerank,
  ollamaChat,
  ollamaEmbed,
  bedrockConverse,
  bedrockInvoke,
  replicate,
  openaiCompletions,
  anthropicComplete,
  huggingFaceText,
  vercelGateway,
  vercelEmbeddings,
  cloudflareRun,
  tokenCount,
  generic,
]

/** The dialect of a request; `generic` when no other claims it. */
export function dialectOf(request: WireRequest): Dialect {
  return dialects.find((dialect) => dialect.claims(request)) ?? generic
}
