import { PriceTable } from '../../conversation/cost/cost.ts'
import { countExchange, sumUsage, type UsageTotal } from '../../conversation/cost/usage.ts'
import type { Session } from '../session.ts'
import type { AskedExchange } from './asked-exchange.ts'

/** Adds up the usage of exchanges; failed and hand-written ones are free. */
export function usageOf(session: Session, exchanges: readonly AskedExchange[]): UsageTotal {
  const table = new PriceTable(session.config.prices)
  const counted = exchanges.map(({ prompt, completion, source, status, durationMs }) => {
    const isFree = source === 'written' || status >= 400
    return countExchange(
      { model: prompt.model, usage: completion.usage, isFree, durationMs },
      table,
    )
  })
  return sumUsage(counted)
}
