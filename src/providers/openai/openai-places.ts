import type { ResponsePlace } from '../dialect.ts'
import { places, placesBelow } from '../kit/places.ts'

export const CHAT_RESPONSE: readonly ResponsePlace[] = [
  ...places(
    'renewed',
    'id',
    'x_groq.id',
    'choices.*.message.tool_calls.*.id',
    'choices.*.delta.tool_calls.*.id',
    'choices.*.message.reasoning_details.*.data',
    'choices.*.delta.reasoning_details.*.data',
  ),
  ...places(
    'ignored',
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
  ),
  ...places(
    'usage',
    'usage.prompt_tokens',
    'usage.total_tokens',
    'usage.prompt_tokens_details',
    'usage.prompt_cache_hit_tokens',
    'usage.prompt_cache_miss_tokens',
    'usage.num_cached_tokens',
    'usage.cost',
    'usage.cost_details',
    'x_groq.usage',
  ),
]

const RESPONSE: readonly ResponsePlace[] = [
  ...places(
    'renewed',
    'id',
    'previous_response_id',
    'output.*.id',
    'output.*.call_id',
    'output.*.encrypted_content',
  ),
  ...places('ignored', 'created_at', 'completed_at'),
  ...places('usage', 'usage.input_tokens', 'usage.input_tokens_details', 'usage.total_tokens'),
  ...places('repeats-request', 'instructions', 'tools', 'metadata'),
]

export const RESPONSES_RESPONSE: readonly ResponsePlace[] = [
  ...RESPONSE,
  ...placesBelow(['response'], RESPONSE),
  ...places('renewed', 'item_id', 'item.id', 'item.call_id', 'item.encrypted_content'),
  ...places('ignored', 'sequence_number', 'obfuscation'),
]
