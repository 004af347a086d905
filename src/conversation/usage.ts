import type { Usage } from '../prompt/completion.ts'
import { costOf, type PriceTable } from './cost.ts'
import type { RecordedStep } from './step.ts'

/** What exchanges took: one, those of a test, of a file, or of a run. */
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
}

/** Counts one exchange. An answer that is an error costs nothing, nor does one that was written by hand. */
export function usageOf(
  { prompt, completion, exchange, wire }: RecordedStep,
  prices: PriceTable,
): UsageTotal {
  const usage: Usage = completion.usage ?? {}
  const isFree = !wire?.response || wire.response.status >= 400
  const cost = isFree ? 0 : costOf(prompt.model, completion.usage, prices)
  const isUnknownModel = !isFree && prompt.model !== undefined && !prices.priceOf(prompt.model)
  return {
    exchanges: 1,
    inputTokens: usage.inputTokens ?? 0,
    cachedTokens: usage.cacheReadInputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    reasoningTokens: usage.reasoningOutputTokens ?? 0,
    durationMs: exchange.response.duration_ms ?? 0,
    cost: cost ?? 0,
    unpriced: cost === undefined ? 1 : 0,
    unknownModels: isUnknownModel ? [prompt.model!] : [],
  }
}

/** Adds up what was counted; nothing is zero exchanges. */
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
  }
}
