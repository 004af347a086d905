import type { WireRequest } from '../wire/message.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { bedrockConverse } from './bedrock/bedrock-converse.ts'
import { bedrockInvoke } from './bedrock/bedrock-invoke.ts'
import { cloudflareRun } from './platforms/cloudflare-run.ts'
import { cohereChat } from './cohere/cohere-chat.ts'
import { cohereRerank } from './cohere/cohere-rerank.ts'
import type { Dialect } from './dialect.ts'
import { geminiGenerate } from './gemini/gemini-generate.ts'
import { geminiInteractions } from './gemini/gemini-interactions.ts'
import { geminiLive } from './gemini/gemini-live.ts'
import { asSent } from './kit/as-sent.ts'
import { generic } from './kit/generic.ts'
import { mcp } from './mcp/mcp.ts'
import { ollamaChat } from './ollama/ollama-chat.ts'
import { openaiChat } from './openai/openai-chat.ts'
import { anthropicComplete, openaiCompletions } from './small/completions.ts'
import { openaiRealtime } from './openai/openai-realtime.ts'
import { openaiRealtimeSession } from './openai/openai-realtime-session.ts'
import { openaiResponses } from './openai/openai-responses.ts'
import { geminiCountTokens, tokenCount } from './small/token-counts.ts'
import { replicate } from './platforms/replicate.ts'
import { vercelGateway } from './vercel/vercel-gateway.ts'
import {
  cohereEmbed,
  geminiEmbeddings,
  ollamaEmbed,
  openaiEmbeddings,
  vercelEmbeddings,
} from './small/embeddings.ts'

/** All dialects, in the order in which they may claim a request; the last one claims every request. */
export const dialects: readonly Dialect[] = [
  mcp,
  openaiChat,
  openaiResponses,
  openaiRealtime,
  openaiRealtimeSession,
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
  ...asSent,
  openaiCompletions,
  anthropicComplete,
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
