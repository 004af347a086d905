import { calcPrice, findProvider, type MatchLogic, type ModelPrice } from '@pydantic/genai-prices'
import type { Price } from '../../config/options.ts'
import { namesOfModel } from './names-of-model.ts'

// What ships loads no such package, which takes 58 ms and 19 MB: tooling/list-prices.ts puts the table in the place of
// this module.

/** The day of the prices: change it with the version of the package. */
const DATE = '2026-11-24'

/** The providers whose prices are taken, those that make models before those that host them. */
const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'cohere',
  'x-ai',
  'deepseek',
  'perplexity',
  'moonshotai',
  'groq',
  'aws',
]

/** The list prices of a day by model, in US dollars for a million tokens. */
function pricesOf(date: string): Record<string, Price> {
  // Some providers are cheaper at night.
  const timestamp = new Date(`${date}T12:00:00Z`)
  const prices = new Map<string, Price>()
  for (const provider of PROVIDERS.map((providerId) => findProvider({ providerId })!)) {
    const names = provider.models.flatMap(({ id, match }) => [id, ...textsIn(match)])
    for (const name of names.filter((text) => /\w$/.test(text) && !prices.has(text))) {
      // A cloud that hosts a model has its own price for it; the plain name means the maker's.
      const found =
        calcPrice({ input_tokens: 1 }, name, { timestamp }) ??
        calcPrice({ input_tokens: 1 }, name, { provider, timestamp })
      const price = found ? priceOf(found.model_price) : undefined
      if (price) prices.set(name, price)
    }
  }
  const isNeeded = ([name, price]: [string, Price]): boolean => {
    const shorter = [...namesOfModel(name)].slice(1).find((other) => prices.has(other))
    return !shorter || JSON.stringify(prices.get(shorter)) !== JSON.stringify(price)
  }
  return Object.fromEntries(
    [...prices].filter(isNeeded).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

/** The names, and parts of names, by which a model is known. */
function textsIn(match: MatchLogic): string[] {
  if ('or' in match) return match.or.flatMap(textsIn)
  if ('and' in match || 'regex' in match) return []
  return Object.values(match)
}

/** Of a price in tiers, the first: that of short prompts. Models that are not paid by token have none. */
function priceOf(price: ModelPrice): Price | undefined {
  const [input, output = 0, cacheRead, cacheWrite] = [
    'input_mtok',
    'output_mtok',
    'cache_read_mtok',
    'cache_write_mtok',
  ].map((unit) => (typeof price[unit] === 'object' ? price[unit].base : price[unit]))
  if (input === undefined) return undefined
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  }
}

/** In US dollars for a million tokens: standard tier, shortest context, caches of five minutes. */
export const LIST = { date: DATE, models: pricesOf(DATE) }
