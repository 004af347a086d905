import type { Exchange, UsageSummary } from '../../cassette/format/cassette.ts'
import type { Usage } from '../../prompt/completion.ts'
import { isMcpAddress } from '../../wire/mcp-address.ts'
import { costOf, type PriceTable } from './cost.ts'
import type { RecordedStep } from '../threads/step.ts'

/** The usage of exchanges: of one, or of those of a test, a file or a run. */
export interface UsageTotal {
  exchanges: number
  /** All tokens of the prompts, the cached ones included. */
  inputTokens: number
  cachedTokens: number
  /** All tokens of the answers, the reasoning included. */
  outputTokens: number
  reasoningTokens: number
  durationMs: number
  /** US dollars, of the exchanges whose price is known. */
  cost: number
  /** Exchanges whose cost is unknown: no price of the model, or no tokens in the answer. */
  unpriced: number
  /** Models that have no price. */
  unknownModels: string[]
  /** Exchanges whose tokens are unknown: the answer names none. */
  uncounted: number
}

/** The figures of an exchange that are counted. */
export interface Countable {
  model?: string
  usage?: Usage
  /** True for an answer that costs nothing; see {@link isFree}. */
  isFree: boolean
  durationMs?: number
}

/** Counts one exchange of a conversation. */
export function usageOf(
  { prompt, completion, exchange, wire }: RecordedStep,
  prices: PriceTable,
): UsageTotal {
  const { model } = prompt
  const { duration_ms: durationMs } = exchange.response
  return countExchange({ model, usage: completion.usage, isFree: isFree(wire), durationMs }, prices)
}

/** Counts an exchange by its readable half, which holds the figures already. */
export function countStored({ prompt, response, wire }: Exchange, prices: PriceTable): UsageTotal {
  const model = typeof prompt.metadata.model === 'string' ? prompt.metadata.model : undefined
  const { usage: stored, duration_ms: durationMs } = response
  const usage = stored && readUsage(stored)
  return countExchange({ model, usage, isFree: isFree(wire), durationMs }, prices)
}

function readUsage(usage: UsageSummary): Usage {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadInputTokens: usage.cache_read_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens,
  }
}

/** Whether an answer costs nothing: it is an error, was written by hand, or comes from an MCP server. */
export function isFree(
  wire: { request: { url: string }; response?: { status: number } } | undefined,
): boolean {
  return !wire?.response || wire.response.status >= 400 || isMcpAddress(wire.request.url)
}

/** Counts one exchange. */
export function countExchange(
  { model, usage: counted, isFree, durationMs = 0 }: Countable,
  prices: PriceTable,
): UsageTotal {
  const usage = counted ?? {}
  const cost = isFree ? 0 : costOf(model, counted, prices)
  const isUnknownModel = !isFree && model !== undefined && !prices.priceOf(model)
  const isUncounted = usage.inputTokens === undefined && usage.outputTokens === undefined
  return {
    exchanges: 1,
    inputTokens: usage.inputTokens ?? 0,
    cachedTokens: usage.cacheReadInputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    reasoningTokens: usage.reasoningOutputTokens ?? 0,
    durationMs,
    cost: cost ?? 0,
    unpriced: cost === undefined ? 1 : 0,
    unknownModels: isUnknownModel ? [model] : [],
    uncounted: !isFree && isUncounted ? 1 : 0,
  }
}

/** Adds up usage. The sum of an empty list has zero exchanges. */
export function sumUsage(totals: readonly UsageTotal[]): UsageTotal {
  const sum = (figure: (total: UsageTotal) => number): number =>
    totals.reduce((result, total) => result + figure(total), 0)
  return {
    exchanges: sum((total) => total.exchanges),
    inputTokens: sum((total) => total.inputTokens),
    cachedTokens: sum((total) => total.cachedTokens),
    outputTokens: sum((total) => total.outputTokens),
    reasoningTokens: sum((total) => total.reasoningTokens),
    durationMs: sum((total) => total.durationMs),
    cost: sum((total) => total.cost),
    unpriced: sum((total) => total.unpriced),
    unknownModels: [...new Set(totals.flatMap((total) => total.unknownModels))].sort(),
    uncounted: sum((total) => total.uncounted),
  }
}
