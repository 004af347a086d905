import { english, firstProblem } from '../../config/parse-by-schema.ts'
import { pricesSchema } from '../../config/price.ts'
import { CassetteError } from '../../errors.ts'
import { PriceTable } from './cost.ts'

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
  throw new CassetteError(
    'invalid-prices',
    `${name} is no price table: ${firstProblem(result.error)}.\n` +
      'Write { "model": { "input": 1.25, "output": 10, "cacheRead": 0.125 } }, in US dollars for a million tokens.',
  )
}
