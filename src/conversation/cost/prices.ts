import type { Price } from '../../config/price.ts'
import table from './prices.json' with { type: 'json' }

/**
 * List prices of the providers in US dollars for a million tokens: standard tier, shortest context, caches of five
 * minutes. They are those of `@pydantic/genai-prices`. They change; the option `prices` and `--prices` take a table of
 * your own.
 */
export const PRICES: { date: string; models: Readonly<Record<string, Price>> } = table
