import type { UsageTotal } from '../../conversation/cost.ts'
import type { Figures } from './data/report-data.ts'

/** Converts the usage of exchanges for the page. Unknown figures become `null`. */
export function figuresOf(total: UsageTotal): Figures {
  const { exchanges, unpriced, uncounted, cost, durationMs } = total
  const isUncounted = uncounted === exchanges && exchanges > 0
  return {
    exchanges,
    input: isUncounted ? null : total.inputTokens,
    output: isUncounted ? null : total.outputTokens,
    cached: total.cachedTokens,
    reasoning: total.reasoningTokens,
    cost: unpriced === exchanges && exchanges > 0 ? null : cost,
    ...(unpriced > 0 && unpriced < exchanges ? { isAtLeast: true as const } : {}),
    ms: Math.round(durationMs),
  }
}
