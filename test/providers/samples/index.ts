import { messagesSample, vertexMessagesSample } from './anthropic-messages.ts'
import { agentSample, knowledgeSample } from './bedrock-agent.ts'
import { converseSample } from './bedrock-converse.ts'
import { invokeSample, titanSample } from './bedrock-invoke.ts'
import { cloudflareSample } from './cloudflare.ts'
import { cohereChatSample, cohereEmbedSample, cohereRerankSample } from './cohere.ts'
import { cohereChatV1Sample } from './cohere-v1.ts'
import {
  batchEmbedSample,
  countTokensSample,
  embedContentSample,
  interactionsSample,
  vertexPredictSample,
} from './gemini.ts'
import { generateSample } from './gemini-generate.ts'
import { genericSample, mediaSample } from './generic.ts'
import {
  completeSample,
  completionsSample,
  huggingFaceSample,
  predictionSample,
  textGenerationSample,
} from './legacy.ts'
import { mcpSample } from './mcp.ts'
import { conversationsSample, fimSample, ocrSample } from './mistral.ts'
import {
  ollamaChatSample,
  ollamaEmbeddingsSample,
  ollamaEmbedSample,
  ollamaGenerateSample,
} from './ollama.ts'
import { compactSample, realtimeSessionSample } from './openai-beside.ts'
import { chatSample } from './openai-chat.ts'
import { embeddingsSample } from './openai-embeddings.ts'
import { responsesSample } from './openai-responses.ts'
import { liveSample, realtimeSample } from './sockets.ts'
import { asSent, type Sample } from './sample.ts'
import { messagesCountSample, responsesCountSample } from './token-count.ts'
import { gatewayEmbeddingsSample } from './vercel-embeddings.ts'
import { gatewaySample } from './vercel-gateway.ts'
import { watsonxChatSample, watsonxEmbeddingsSample, watsonxTextSample } from './watsonx.ts'

/** Samples of formats that no dialect reads: what is asked, and all forms of what is answered. */
export const unreadSamples: Sample[] = [
  agentSample,
  cohereChatV1Sample,
  conversationsSample,
  fimSample,
  huggingFaceSample,
  knowledgeSample,
  ocrSample,
  textGenerationSample,
  watsonxChatSample,
  watsonxEmbeddingsSample,
  watsonxTextSample,
]

/** One sample of every dialect. */
export const samples: Sample[] = [
  chatSample,
  responsesSample,
  messagesSample,
  embeddingsSample,
  generateSample,
  batchEmbedSample,
  embedContentSample,
  vertexPredictSample,
  countTokensSample,
  interactionsSample,
  cohereChatSample,
  cohereEmbedSample,
  cohereRerankSample,
  ollamaChatSample,
  ollamaGenerateSample,
  ollamaEmbedSample,
  ollamaEmbeddingsSample,
  converseSample,
  invokeSample,
  titanSample,
  completionsSample,
  completeSample,
  predictionSample,
  gatewaySample,
  gatewayEmbeddingsSample,
  cloudflareSample,
  vertexMessagesSample,
  messagesCountSample,
  responsesCountSample,
  realtimeSample,
  liveSample,
  compactSample,
  realtimeSessionSample,
  mcpSample,
  mediaSample,
  genericSample,
  ...unreadSamples.map(asSent),
]
