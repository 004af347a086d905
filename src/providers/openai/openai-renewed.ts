import type { RenewedPlaces } from '../dialect.ts'
import { mergePlaces, placesBelow } from '../kit/renewed-places.ts'

/** The places of chat completions, and of the formats that copied them. */
export const CHAT_RENEWED: RenewedPlaces = {
  id: [
    'id',
    'x_groq.id',
    'choices.*.message.tool_calls.*.id',
    'choices.*.delta.tool_calls.*.id',
    'choices.*.message.reasoning_details.*.data',
    'choices.*.delta.reasoning_details.*.data',
  ],
  figure: [
    'created',
    'system_fingerprint',
    'obfuscation',
    'choices.*.delta.obfuscation',
    'usage.queue_time',
    'usage.prompt_time',
    'usage.completion_time',
    'usage.total_time',
    'time_info',
    'timings',
  ],
  usage: [
    'usage.prompt_tokens',
    'usage.total_tokens',
    'usage.prompt_tokens_details',
    'usage.prompt_cache_hit_tokens',
    'usage.prompt_cache_miss_tokens',
    'usage.num_cached_tokens',
    'usage.cost',
    'usage.cost_details',
    'x_groq.usage',
  ],
}

const RESPONSE: RenewedPlaces = {
  id: [
    'id',
    'previous_response_id',
    'output.*.id',
    'output.*.call_id',
    'output.*.encrypted_content',
  ],
  figure: ['created_at', 'completed_at'],
  usage: ['usage.input_tokens', 'usage.input_tokens_details', 'usage.total_tokens'],
  echo: ['instructions', 'tools', 'metadata'],
}

export const RESPONSES_RENEWED: RenewedPlaces = mergePlaces(
  RESPONSE,
  placesBelow('response', RESPONSE),
  {
    id: ['item_id', 'item.id', 'item.call_id', 'item.encrypted_content'],
    figure: ['sequence_number', 'obfuscation'],
  },
)
