import { countOf } from '../../diff/render/count-of.ts'
import { layOutLine } from '../../diff/render/printable.ts'
import type { UsageTotal } from './usage.ts'

/** A cost in words: a lower bound if it is known in part, `unknown` rather than zero if it is not known. */
export function costText({ cost, unpriced, exchanges }: UsageTotal): string {
  if (unpriced === exchanges && exchanges > 0) return 'unknown'
  return unpriced > 0 ? `> ${dollarsText(cost)}` : dollarsText(cost)
}

/** US dollars with as many places as the amount needs to be seen. */
export function dollarsText(amount: number): string {
  const places = amount === 0 || amount >= 1 ? 2 : amount >= 0.0001 ? 4 : 7
  return `$${amount.toFixed(places)}`
}

/** Input and output tokens in words. A count that is known in part is a lower bound. */
export function tokensText({
  inputTokens,
  outputTokens,
  uncounted,
  exchanges,
}: UsageTotal): string {
  if (uncounted === exchanges && exchanges > 0) return 'unknown tokens'
  return `${uncounted > 0 ? '> ' : ''}${countOf(inputTokens + outputTokens, 'token')}`
}

/** Explains why a cost is unknown; empty if it is known. */
export function explainUnknown({ unpriced, unknownModels }: UsageTotal): string[] {
  if (unpriced === 0) return []
  const models =
    unknownModels.length > 0 ? ` No price of: ${unknownModels.map(layOutLine).join(', ')}.` : ''
  return [`The cost of ${countOf(unpriced, 'exchange')} is unknown.${models}`]
}
