import type { Price } from '../config/options.ts'
import type { Usage } from '../prompt/completion.ts'
import { isJsonObject, type JsonObject } from '../json/json-value.ts'
import { countOf } from '../text/count-of.ts'
import { layOutLine } from '../text/printable.ts'
import { LIST } from './cost/list-prices.ts'
import { namesOfModel } from './cost/names-of-model.ts'
import type { RecordedStep } from './step.ts'
import { type Countable, isFree } from './usage.ts'

/** List prices of the providers. They change; the option `prices` and `--prices` take a table of your own. */
export const PRICES: { date: string; models: Readonly<Record<string, Price>> } = LIST

/** Prices by model. A price that the user gives replaces ours. */
export class PriceTable {
  readonly #own: Readonly<Record<string, Price>>

  constructor(own: Readonly<Record<string, Price>> = {}) {
    this.#own = own
  }

  /** The price of a model by its name, also with a provider, a date or a version around it. */
  priceOf(model: string): Price | undefined {
    const names = [...namesOfModel(model)]
    for (const prices of [this.#own, PRICES.models]) {
      const known = names.find((name) => Object.hasOwn(prices, name))
      if (known !== undefined) return prices[known]
    }
    return undefined
  }
}

/** The cost of an answer in US dollars, or `undefined` if the price or the tokens are unknown. */
export function costOf(
  model: string | undefined,
  usage: Usage | undefined,
  prices: PriceTable,
): number | undefined {
  const price = model === undefined ? undefined : prices.priceOf(model)
  if (!price || !usage || (usage.inputTokens === undefined && usage.outputTokens === undefined))
    return undefined
  const { inputTokens = 0, outputTokens = 0 } = usage
  const { cacheReadInputTokens: read = 0, cacheCreationInputTokens: write = 0 } = usage
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const fresh = Math.max(0, inputTokens - read - write)
  return (fresh * input + read * cacheRead + write * cacheWrite + outputTokens * output) / 1_000_000
}

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
  /** Those of them whose request could have asked for the tokens, and did not. */
  unaskedCounts: number
}

/** Counts one exchange of a conversation. */
export function usageOf(
  { prompt, completion, exchange, wire }: RecordedStep,
  prices: PriceTable,
): UsageTotal {
  const { model, parameters } = prompt
  const { duration_ms: durationMs } = exchange.response
  return countExchange(
    { model, parameters, usage: completion.usage, isFree: isFree(wire), durationMs },
    prices,
  )
}

/** Counts one exchange. */
export function countExchange(
  { model, usage: counted, parameters, isFree, durationMs = 0 }: Countable,
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
    unaskedCounts: !isFree && isUncounted && leavesCountsOut(parameters) ? 1 : 0,
  }
}

/** Whether a request streams by OpenAI's API of chats and does not ask for the counts of tokens, which it then lacks. */
function leavesCountsOut({ stream, stream_options: options }: JsonObject = {}): boolean {
  const isAsked = isJsonObject(options) && options.include_usage === true
  return stream === true && !isAsked
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
    unaskedCounts: sum((total) => total.unaskedCounts),
  }
}

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

/** A count of tokens as a figure in a table: a lower bound if some answers name none, `unknown` if none does. */
export function figureText(tokens: number, { uncounted, exchanges }: UsageTotal): string {
  if (uncounted === exchanges && exchanges > 0) return 'unknown'
  return `${uncounted > 0 ? '> ' : ''}${tokens.toLocaleString('en')}`
}

/** Explains why a cost is unknown; empty if it is known. */
export function explainUnknown({ unpriced, unknownModels }: UsageTotal): string[] {
  if (unpriced === 0) return []
  const models = unknownModels.length > 0 ? ` No price of: ${listModels(unknownModels)}.` : ''
  return [`The cost of ${countOf(unpriced, 'exchange')} is unknown.${models}`]
}

/** The same, and what to do where answers name no tokens. */
export function adviseOnUnknown(total: UsageTotal): string[] {
  return [...explainUnknown(total), ...(total.unpriced > 0 ? adviseOnCounts(total) : [])]
}

/** How to get the tokens of answers that name none; empty where no request could have asked for them. */
export function adviseOnCounts({ unaskedCounts: count }: UsageTotal): string[] {
  if (count === 0) return []
  return [
    `${countOf(count, 'stream')} without token counts: an OpenAI API counts them with stream_options: { include_usage: true }.`,
  ]
}

/** The names come from cassettes, which can hold any number of them, of any length. */
function listModels(models: readonly string[]): string {
  const shown = models
    .slice(0, MAX_MODELS)
    .map((name) => layOutLine(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name))
  const more = models.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
