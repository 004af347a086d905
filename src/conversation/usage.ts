// The figures of exchanges without the table of prices, which takes long to load: each test that asks is counted.
import type { Exchange, UsageSummary } from '../cassette/cassette.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { Usage } from '../prompt/completion.ts'
import { isMcpAddress } from '../wire/address.ts'

/** The figures of an exchange that are counted. */
export interface Countable {
  model?: string
  usage?: Usage
  /** Those of the request, where they are at hand. */
  parameters?: JsonObject
  /** True for an answer that costs nothing; see `isFree`. */
  isFree: boolean
  durationMs?: number
}

/** The parts of an exchange that count. */
export interface CountedExchange extends Pick<Exchange, 'prompt' | 'response'> {
  wire?: Parameters<typeof isFree>[0]
}

/** What counts of an exchange, by its readable half, which holds the figures already. */
export function countableOf({ prompt, response, wire }: CountedExchange): Countable {
  const model = typeof prompt.metadata.model === 'string' ? prompt.metadata.model : undefined
  const { usage: stored, duration_ms: durationMs } = response
  const usage = stored && restoreUsage(stored)
  return { model, usage, isFree: isFree(wire), durationMs }
}

/** The counts of tokens: their names in a completion, and those in a file. */
const COUNTS = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['cacheReadInputTokens', 'cache_read_input_tokens'],
  ['cacheCreationInputTokens', 'cache_creation_input_tokens'],
  ['reasoningOutputTokens', 'reasoning_output_tokens'],
] as const

export function summarizeUsage(usage: Usage): UsageSummary {
  const known = COUNTS.filter(([name]) => usage[name] !== undefined)
  return Object.fromEntries(known.map(([name, stored]) => [stored, usage[name]]))
}

export function restoreUsage(usage: UsageSummary): Usage {
  const known = COUNTS.filter(([, stored]) => usage[stored] !== undefined)
  return Object.fromEntries(known.map(([name, stored]) => [name, usage[stored]]))
}

/** Whether an answer costs nothing: it is an error, was written by hand, or comes from an MCP server. */
export function isFree(
  wire: { request: { url: string }; response?: { status: number } } | undefined,
): boolean {
  return !wire?.response || wire.response.status >= 400 || isMcpAddress(wire.request.url)
}
