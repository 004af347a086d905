import type { ResponsePlace } from '../dialect.ts'
import { places, placesBelow } from '../kit/places.ts'

const BLOCK: readonly ResponsePlace[] = [
  ...places('renewed', 'id', 'tool_use_id', 'data', 'content.*.encrypted_content'),
  ['signature', 'renewed-in-pieces'],
]

const MESSAGE: readonly ResponsePlace[] = [
  ...placesBelow(['content.*'], BLOCK),
  ...places('renewed', 'id', 'container.id'),
  ['container.expires_at', 'ignored'],
  ...places(
    'usage',
    'usage.input_tokens',
    'usage.cache_creation_input_tokens',
    'usage.cache_read_input_tokens',
    'usage.cache_creation',
  ),
]

export const ANTHROPIC_RESPONSE: readonly ResponsePlace[] = [
  ...MESSAGE,
  ...placesBelow(['message'], MESSAGE),
  ...placesBelow(['content_block'], BLOCK),
  ['request_id', 'renewed'],
  ['delta.signature', 'renewed-in-pieces'],
  // The first event counts the output tokens so far.
  ['message.usage.output_tokens', 'usage'],
]
