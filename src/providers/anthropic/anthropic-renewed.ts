import type { RenewedPlaces } from '../dialect.ts'
import { mergePlaces, placesBelow } from '../kit/renewed-places.ts'

const BLOCK: RenewedPlaces = {
  id: ['id', 'tool_use_id', 'data', 'content.*.encrypted_content'],
  sealed: ['signature'],
}

const MESSAGE: RenewedPlaces = mergePlaces(placesBelow('content.*', BLOCK), {
  id: ['id', 'container.id'],
  figure: ['container.expires_at'],
  usage: [
    'usage.input_tokens',
    'usage.cache_creation_input_tokens',
    'usage.cache_read_input_tokens',
    'usage.cache_creation',
  ],
})

export const ANTHROPIC_RENEWED: RenewedPlaces = mergePlaces(
  MESSAGE,
  placesBelow('message', MESSAGE),
  placesBelow('content_block', BLOCK),
  // The first event counts the output tokens so far.
  { id: ['request_id'], sealed: ['delta.signature'], usage: ['message.usage.output_tokens'] },
)
