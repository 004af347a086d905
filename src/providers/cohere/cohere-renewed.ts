import type { RenewedPlaces } from '../dialect.ts'
import { mergePlaces, placesBelow } from '../kit/renewed-places.ts'

const COUNTED: RenewedPlaces = {
  figure: ['billed_units.input_tokens', 'tokens.input_tokens', 'cached_tokens'],
}

export const COHERE_RENEWED: RenewedPlaces = mergePlaces(
  {
    id: [
      'id',
      'generation_id',
      'response_id',
      'message.tool_calls.*.id',
      'delta.message.tool_calls.id',
    ],
  },
  placesBelow('meta', COUNTED),
  placesBelow('usage', COUNTED),
  placesBelow('delta.usage', COUNTED),
)
