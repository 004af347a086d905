/** Why a request was not replayed by its hash, in the order of reports. */
export const SLOW_REASONS = [
  // The request is spelled in another way than the recorded one.
  'key-order',
  'spelling',
  'address',
  'host',
  // A part of the request is another one in each run.
  'volatile',
  'call-id',
  'redacted',
  'header',
  // The file.
  'formatted',
  'edited',
  'unsealed',
  'rules',
  'parameter',
  'sample',
  'row',
  'mark',
  'link',
  // The exchange.
  'written',
  'imported',
  'response',
  'repeated',
  'order',
  // How the request came.
  'client',
  'beside',
  'after',
  'unknown',
] as const

/** Several options together are one reason: `option:pace+redact`. */
export type SlowReason = (typeof SLOW_REASONS)[number] | `option:${string}`

/** How many replayed requests were not found by their hash, by reason. */
export type SlowCalls = Partial<Record<SlowReason, number>>
