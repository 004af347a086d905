import type { ResponsePlace } from '../dialect.ts'
import { places, placesBelow } from '../kit/places.ts'

export const GEMINI_RESPONSE: readonly ResponsePlace[] = [
  ...places(
    'renewed',
    'responseId',
    'candidates.*.content.parts.*.functionCall.id',
    'candidates.*.content.parts.*.thoughtSignature',
  ),
  ['createTime', 'ignored'],
  ...placesBelow(
    ['usageMetadata'],
    [
      ...places(
        'usage',
        'promptTokenCount',
        'totalTokenCount',
        'cachedContentTokenCount',
        'promptTokensDetails',
        'cacheTokensDetails',
      ),
      ...places(
        'running-total',
        'candidatesTokenCount',
        'thoughtsTokenCount',
        'candidatesTokensDetails',
      ),
    ],
  ),
  ['candidates.*.content.parts.*.functionCall', 'one-value'],
]

const INTERACTION: readonly ResponsePlace[] = [
  ...places(
    'renewed',
    'id',
    'outputs.*.id',
    'outputs.*.signature',
    'steps.*.id',
    'steps.*.signature',
  ),
  ...places('ignored', 'created', 'updated'),
  ...places(
    'usage',
    'usage.total_input_tokens',
    'usage.total_cached_tokens',
    'usage.total_tokens',
    'usage.input_tokens_by_modality',
    'usage.cached_tokens_by_modality',
  ),
]

/** Of its requests, OpenAI's responses name the calls. */
export const INTERACTIONS_RESPONSE: readonly ResponsePlace[] = [
  ...INTERACTION,
  ...placesBelow(['interaction'], INTERACTION),
  ...places(
    'renewed',
    'event_id',
    'interaction_id',
    'delta.id',
    'delta.signature',
    'step.id',
    'step.signature',
  ),
]
