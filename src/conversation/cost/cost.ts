import type { Price } from '../../config/price.ts'
import type { Usage } from '../../prompt/completion.ts'
import { namesOfModel } from './names-of-model.ts'
import table from './prices.json' with { type: 'json' }

/**
 * List prices of the providers in US dollars for a million tokens: standard tier, shortest context, caches of five
 * minutes. They are those of `@pydantic/genai-prices`. They change; the option `prices` and `--prices` take a table of
 * your own.
 */
export const PRICES: { date: string; models: Readonly<Record<string, Price>> } = table

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
