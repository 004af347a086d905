import type { Price } from '../config/price.ts'
import { PriceTable } from '../conversation/cost/cost.ts'
import { countExchange, sumUsage, type UsageTotal } from '../conversation/cost/usage.ts'
import type { AskedExchange } from './asked.ts'

/** Counts what was asked and got; what failed and what a person wrote is free. */
export function sumAsked(
  exchanges: readonly AskedExchange[],
  prices: Record<string, Price>,
): UsageTotal {
  const table = new PriceTable(prices)
  const counted = exchanges.map(({ prompt, completion, source, status, durationMs }) => {
    const isFree = source === 'written' || status >= 400
    return countExchange(
      { model: prompt.model, usage: completion.usage, isFree, durationMs },
      table,
    )
  })
  return sumUsage(counted)
}
