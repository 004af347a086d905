import { ANTHROPIC_RESPONSE } from '../anthropic/anthropic-places.ts'
import type { ResponsePlace } from '../dialect.ts'
import { places, placesBelow } from '../kit/places.ts'
import { CHAT_RESPONSE } from '../openai/openai-places.ts'

export const CONVERSE_RESPONSE: readonly ResponsePlace[] = [
  ...places('renewed', 'output.message.content.*.toolUse.toolUseId', 'start.toolUse.toolUseId'),
  ...places(
    'renewed-in-pieces',
    'output.message.content.*.reasoningContent.reasoningText.signature',
    'delta.reasoningContent.signature',
  ),
  ...places('ignored', 'p', 'metrics.latencyMs'),
  ...places(
    'usage',
    'usage.inputTokens',
    'usage.totalTokens',
    'usage.cacheReadInputTokens',
    'usage.cacheReadInputTokenCount',
    'usage.cacheWriteInputTokens',
    'usage.cacheWriteInputTokenCount',
  ),
]

export const INVOKE_RESPONSE: readonly ResponsePlace[] = [
  ...ANTHROPIC_RESPONSE,
  ...CHAT_RESPONSE,
  ['p', 'ignored'],
  ...placesBelow(
    ['amazon-bedrock-invocationMetrics'],
    [
      ...places('ignored', 'invocationLatency', 'firstByteLatency'),
      ...places(
        'usage',
        'inputTokenCount',
        'cacheReadInputTokenCount',
        'cacheWriteInputTokenCount',
      ),
    ],
  ),
  ...places(
    'usage',
    'prompt_token_count',
    'inputTextTokenCount',
    'usage.inputTokens',
    'usage.totalTokens',
  ),
]
