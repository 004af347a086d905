import type { Price } from '../../config/price.ts'
import type { Usage } from '../../prompt/completion.ts'
import { PRICES } from './prices.ts'

/** The prefixes and suffixes of the name of a model: a provider in front, a date or a version behind. */
const SURROUNDINGS = [
  /^(?:models|publishers\/[^/]+\/models)\//,
  /^[a-z0-9_.-]+\//i,
  /^(?:us|eu|apac|global|jp|au)\./,
  /^(?:anthropic|amazon|meta|mistral|cohere|openai)\./,
  /:\w[\w.-]*$/,
  /-v\d+(?::\d+)?$/,
  /@\d{8}$/,
  /-\d{4}-\d{2}-\d{2}$/,
  /-\d{8}$/,
  /-latest$/,
]

/** Prices by model. A price that the user gives replaces ours. */
export class PriceTable {
  readonly #prices: ReadonlyMap<string, Price>

  constructor(own: Record<string, Price> = {}) {
    this.#prices = new Map([...Object.entries(PRICES.models), ...Object.entries(own)])
  }

  /** The price of a model by its name, also with a provider, a date or a version around it. */
  priceOf(model: string): Price | undefined {
    let name = model
    for (const surrounding of ['', ...SURROUNDINGS]) {
      name = surrounding === '' ? name : name.replace(surrounding, '')
      const price = this.#prices.get(name)
      if (price) return price
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
