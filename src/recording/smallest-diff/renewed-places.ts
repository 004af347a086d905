const CHAT: RenewedPlaces = {
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
    'usage.prompt_tokens',
    'usage.total_tokens',
    'usage.prompt_tokens_details',
    'usage.prompt_cache_hit_tokens',
    'usage.prompt_cache_miss_tokens',
    'usage.num_cached_tokens',
    'usage.cost',
    'usage.cost_details',
    'usage.queue_time',
    'usage.prompt_time',
    'usage.completion_time',
    'usage.total_time',
    'x_groq.usage',
    'time_info',
    'timings',
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
  figure: [
    'created_at',
    'completed_at',
    'usage.input_tokens',
    'usage.input_tokens_details',
    'usage.total_tokens',
  ],
  echo: ['instructions', 'tools', 'metadata'],
}

const RESPONSES: RenewedPlaces = merge(RESPONSE, placesBelow('response', RESPONSE), {
  id: ['item_id', 'item.id', 'item.call_id', 'item.encrypted_content'],
  figure: ['sequence_number', 'obfuscation'],
})

const BLOCK: RenewedPlaces = {
  id: ['id', 'tool_use_id', 'data', 'content.*.encrypted_content'],
  sealed: ['signature'],
}

const MESSAGE: RenewedPlaces = merge(placesBelow('content.*', BLOCK), {
  id: ['id', 'container.id'],
  figure: [
    'container.expires_at',
    'usage.input_tokens',
    'usage.cache_creation_input_tokens',
    'usage.cache_read_input_tokens',
    'usage.cache_creation',
  ],
})

const ANTHROPIC: RenewedPlaces = merge(
  MESSAGE,
  placesBelow('message', MESSAGE),
  placesBelow('content_block', BLOCK),
  // The first event counts the output tokens so far.
  { id: ['request_id'], sealed: ['delta.signature'], figure: ['message.usage.output_tokens'] },
)

const GEMINI: RenewedPlaces = {
  id: [
    'responseId',
    'candidates.*.content.parts.*.functionCall.id',
    'candidates.*.content.parts.*.thoughtSignature',
  ],
  figure: [
    'createTime',
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

const CONVERSE: RenewedPlaces = {
  id: ['output.message.content.*.toolUse.toolUseId', 'start.toolUse.toolUseId'],
  sealed: [
    'output.message.content.*.reasoningContent.reasoningText.signature',
    'delta.reasoningContent.signature',
  ],
  figure: [
    'p',
    'metrics.latencyMs',
    'usage.inputTokens',
    'usage.totalTokens',
    'usage.cacheReadInputTokens',
    'usage.cacheReadInputTokenCount',
    'usage.cacheWriteInputTokens',
    'usage.cacheWriteInputTokenCount',
  ],
}

const METRICS = 'amazon-bedrock-invocationMetrics'

const INVOKE: RenewedPlaces = merge(ANTHROPIC, CHAT, {
  figure: [
    'p',
    `${METRICS}.inputTokenCount`,
    `${METRICS}.invocationLatency`,
    `${METRICS}.firstByteLatency`,
    `${METRICS}.cacheReadInputTokenCount`,
    `${METRICS}.cacheWriteInputTokenCount`,
    'prompt_token_count',
    'inputTextTokenCount',
    'usage.inputTokens',
    'usage.totalTokens',
  ],
})

const COUNTED: RenewedPlaces = {
  figure: ['billed_units.input_tokens', 'tokens.input_tokens', 'cached_tokens'],
}

const COHERE: RenewedPlaces = merge(
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

const OLLAMA: RenewedPlaces = {
  id: ['message.tool_calls.*.id', 'message.tool_calls.*.function.id'],
  figure: [
    'created_at',
    'total_duration',
    'load_duration',
    'prompt_eval_count',
    'prompt_eval_duration',
    'eval_duration',
  ],
  whole: ['message.tool_calls.*.function'],
}

const INTERACTION: RenewedPlaces = {
  id: ['id', 'outputs.*.id', 'outputs.*.signature', 'steps.*.id', 'steps.*.signature'],
  figure: [
    'created',
    'updated',
    'usage.total_input_tokens',
    'usage.total_cached_tokens',
    'usage.total_tokens',
    'usage.input_tokens_by_modality',
    'usage.cached_tokens_by_modality',
  ],
}

const VERCEL: RenewedPlaces = {
  id: ['id', 'toolCallId', 'content.*.toolCallId', 'response.id'],
  figure: [
    'timestamp',
    'response.timestamp',
    'usage.inputTokens',
    'usage.totalTokens',
    'usage.cachedInputTokens',
  ],
}

const REPLICATE: RenewedPlaces = {
  id: ['id', 'urls.*'],
  figure: [
    'created_at',
    'started_at',
    'completed_at',
    'metrics.predict_time',
    'metrics.total_time',
    'metrics.time_to_first_token',
    'metrics.tokens_per_second',
    'metrics.input_token_count',
    'metrics.token_input_count',
  ],
}

/** The renewed places by the name of a dialect. In other dialects, everything counts. */
export const RENEWED: Readonly<Record<string, RenewedPlaces>> = {
  'openai-chat': CHAT,
  'openai-completions': CHAT,
  'openai-responses': RESPONSES,
  'anthropic-messages': ANTHROPIC,
  'anthropic-complete': { id: ['id', 'log_id'] },
  'gemini-generate': GEMINI,
  'gemini-interactions': merge(INTERACTION, placesBelow('interaction', INTERACTION), {
    id: ['event_id', 'interaction_id', 'delta.id', 'delta.signature', 'step.id', 'step.signature'],
  }),
  'bedrock-converse': CONVERSE,
  'bedrock-invoke': INVOKE,
  'cohere-chat': COHERE,
  'cohere-embed': { id: ['id'] },
  'cohere-rerank': { id: ['id'] },
  'ollama-chat': OLLAMA,
  'ollama-embed': { figure: ['total_duration', 'load_duration'] },
  'vercel-gateway': VERCEL,
  'cloudflare-run': merge(CHAT, placesBelow('result', CHAT), { figure: ['p'] }),
  replicate: REPLICATE,
}

/**
 * The kind of a value that may differ between two answers that say the same:
 * - `id`: names something, and is sent back by the application. Which ids are equal still counts.
 * - `sealed`: as `id`, and a stream may bring it in pieces.
 * - `figure`: a date, duration, fingerprint, padding, or token count of the prompt. It does not count.
 * - `last`: a running total of a stream, of which the last one counts.
 * - `echo`: repeats a part of the request, and changes with it.
 * - `whole`: counts, as one value: a stream brings all of it at once, and may bring two of them at one place.
 */
export type Renewed = 'id' | 'sealed' | 'figure' | 'last' | 'echo' | 'whole'

/** Places in the body or in the events of an answer; `*` is any key or position. */
export type RenewedPlaces = Partial<Record<Renewed, readonly string[]>>

/** The same places below another one. */
function placesBelow(prefix: string, places: RenewedPlaces): RenewedPlaces {
  return Object.fromEntries(
    Object.entries(places).map(([kind, paths]) => [kind, paths.map((path) => `${prefix}.${path}`)]),
  )
}

/** The union of several sets of places. */
export function merge(...all: RenewedPlaces[]): RenewedPlaces {
  const kinds: Renewed[] = ['id', 'sealed', 'figure', 'last', 'echo', 'whole']
  return Object.fromEntries(
    kinds.map((kind) => [kind, all.flatMap((places) => places[kind] ?? [])]),
  )
}
