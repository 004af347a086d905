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
import { completeSample, completionsSample, huggingFaceSample, predictionSample } from './legacy.ts'
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
import type { Sample } from './sample.ts'
import { messagesCountSample, responsesCountSample } from './token-count.ts'
import { gatewayEmbeddingsSample } from './vercel-embeddings.ts'
import { gatewaySample } from './vercel-gateway.ts'
import { watsonxChatSample, watsonxEmbeddingsSample, watsonxTextSample } from './watsonx.ts'

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
  huggingFaceSample,
  predictionSample,
  gatewaySample,
  gatewayEmbeddingsSample,
  cloudflareSample,
  vertexMessagesSample,
  messagesCountSample,
  responsesCountSample,
  realtimeSample,
  liveSample,
  fimSample,
  conversationsSample,
  ocrSample,
  compactSample,
  realtimeSessionSample,
  cohereChatV1Sample,
  watsonxChatSample,
  watsonxTextSample,
  watsonxEmbeddingsSample,
  agentSample,
  knowledgeSample,
  mcpSample,
  mediaSample,
  genericSample,
]
