import * as z from 'zod/mini'
import { pricesSchema } from '../../config/price.ts'
import { CassetteError } from '../../errors.ts'
import { PriceTable } from './cost.ts'

// Without a language, zod says `Invalid input` to everything.
const english = z.locales.en().localeError

/**
 * Reads the prices that a user gives: `{ "my-model": { "input": 1, "output": 2 } }`, in US dollars
 * for a million tokens.
 *
 * @param name the file, for the error
 * @throws CassetteError `invalid-prices` that names the model and the field.
 */
export function parsePrices(value: unknown, name: string): PriceTable {
  const result = pricesSchema.safeParse(value, { error: english })
  if (result.success) return new PriceTable(result.data)
  const [issue] = result.error.issues
  throw new CassetteError(
    'invalid-prices',
    `${name} is no price table: at /${issue!.path.join('/')}: ${issue!.message}.\n` +
      'Write { "model": { "input": 1.25, "output": 10, "cacheRead": 0.125 } }, in US dollars for a million tokens.',
  )
}
