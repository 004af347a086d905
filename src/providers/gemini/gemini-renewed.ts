import type { RenewedPlaces } from '../dialect.ts'
import { mergePlaces, placesBelow } from '../kit/renewed-places.ts'

export const GEMINI_RENEWED: RenewedPlaces = {
  id: [
    'responseId',
    'candidates.*.content.parts.*.functionCall.id',
    'candidates.*.content.parts.*.thoughtSignature',
  ],
  figure: ['createTime'],
  usage: [
    'usageMetadata.promptTokenCount',
    'usageMetadata.totalTokenCount',
    'usageMetadata.cachedContentTokenCount',
    'usageMetadata.promptTokensDetails',
    'usageMetadata.cacheTokensDetails',
  ],
  last: [
    'usageMetadata.candidatesTokenCount',
    'usageMetadata.thoughtsTokenCount',
    'usageMetadata.candidatesTokensDetails',
  ],
  whole: ['candidates.*.content.parts.*.functionCall'],
}

const INTERACTION: RenewedPlaces = {
  id: ['id', 'outputs.*.id', 'outputs.*.signature', 'steps.*.id', 'steps.*.signature'],
  figure: ['created', 'updated'],
  usage: [
    'usage.total_input_tokens',
    'usage.total_cached_tokens',
    'usage.total_tokens',
    'usage.input_tokens_by_modality',
    'usage.cached_tokens_by_modality',
  ],
}

export const INTERACTIONS_RENEWED: RenewedPlaces = mergePlaces(
  INTERACTION,
  placesBelow('interaction', INTERACTION),
  {
    id: ['event_id', 'interaction_id', 'delta.id', 'delta.signature', 'step.id', 'step.signature'],
  },
)
