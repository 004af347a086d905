import { ANTHROPIC_RENEWED } from '../anthropic/anthropic-renewed.ts'
import type { RenewedPlaces } from '../dialect.ts'
import { mergePlaces } from '../kit/renewed-places.ts'
import { CHAT_RENEWED } from '../openai/openai-renewed.ts'

export const CONVERSE_RENEWED: RenewedPlaces = {
  id: ['output.message.content.*.toolUse.toolUseId', 'start.toolUse.toolUseId'],
  sealed: [
    'output.message.content.*.reasoningContent.reasoningText.signature',
    'delta.reasoningContent.signature',
  ],
  figure: ['p', 'metrics.latencyMs'],
  usage: [
    'usage.inputTokens',
    'usage.totalTokens',
    'usage.cacheReadInputTokens',
    'usage.cacheReadInputTokenCount',
    'usage.cacheWriteInputTokens',
    'usage.cacheWriteInputTokenCount',
  ],
}

const METRICS = 'amazon-bedrock-invocationMetrics'

export const INVOKE_RENEWED: RenewedPlaces = mergePlaces(ANTHROPIC_RENEWED, CHAT_RENEWED, {
  figure: ['p', `${METRICS}.invocationLatency`, `${METRICS}.firstByteLatency`],
  usage: [
    `${METRICS}.inputTokenCount`,
    `${METRICS}.cacheReadInputTokenCount`,
    `${METRICS}.cacheWriteInputTokenCount`,
    'prompt_token_count',
    'inputTextTokenCount',
    'usage.inputTokens',
    'usage.totalTokens',
  ],
})
