import { countOf } from '../../diff/render/count-of.ts'
import { layOutLine } from '../../diff/render/printable.ts'
import type { UsageTotal } from './usage.ts'

/** The most models that are named, and the most characters of each name. */
const MAX_MODELS = 20
const MAX_NAME = 80

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
  const models = unknownModels.length > 0 ? ` No price of: ${listModels(unknownModels)}.` : ''
  return [`The cost of ${countOf(unpriced, 'exchange')} is unknown.${models}`]
}

/** The names come from cassettes, which can hold any number of them, of any length. */
function listModels(models: readonly string[]): string {
  const shown = models
    .slice(0, MAX_MODELS)
    .map((name) => layOutLine(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name))
  const more = models.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
