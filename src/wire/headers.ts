/** Headers that decide how a client treats an answer. A replay shortens `retry-after`: see `retriedAtOnce`. */
const DECIDING = [
  'content-type',
  'retry-after',
  'retry-after-ms',
  'x-amzn-bedrock-content-type',
  'x-amzn-errortype',
  'x-goog-upload-chunk-granularity',
  'x-goog-upload-size-received',
  'x-goog-upload-status',
  'x-should-retry',
] as const

/** Headers with an address that a client follows. */
export const LEADING_HEADERS = [
  'azure-asyncoperation',
  'location',
  'operation-location',
  'x-goog-upload-control-url',
  'x-goog-upload-url',
] as const

/** Headers that clients show to their applications, and that differ in every recording of the same answer. */
export const TOLD_HEADERS = [
  'anthropic-ratelimit-input-tokens-limit',
  'anthropic-ratelimit-input-tokens-remaining',
  'anthropic-ratelimit-input-tokens-reset',
  'anthropic-ratelimit-output-tokens-limit',
  'anthropic-ratelimit-output-tokens-remaining',
  'anthropic-ratelimit-output-tokens-reset',
  'anthropic-ratelimit-requests-limit',
  'anthropic-ratelimit-requests-remaining',
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-limit',
  'anthropic-ratelimit-tokens-remaining',
  'anthropic-ratelimit-tokens-reset',
  'apim-request-id',
  'openai-processing-ms',
  'request-id',
  'x-amzn-requestid',
  'x-ratelimit-limit-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'x-request-id',
] as const

/** Response headers that an application can depend on and that never identify an account. */
export const KEPT_HEADERS = [...DECIDING, ...LEADING_HEADERS, ...TOLD_HEADERS] as const
