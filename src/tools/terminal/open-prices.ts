import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { english, firstProblem } from '../../config/parse-options.ts'
import { pricesSchema } from '../../config/options.ts'
import { PriceTable } from '../../conversation/cost.ts'
import { CassetteError } from '../../errors.ts'
import type { Terminal } from './command.ts'
import { type OptionValues, takesPath, textOption } from './options.ts'

export const PRICES_OPTION = {
  prices: takesPath(
    'file',
    'a JSON file with prices of your own: { "model": { "input": 1, "output": 2 } }',
  ),
}

/**
 * The prices that `--prices` gives, over ours.
 *
 * @throws CassetteError `invalid-prices` for a file that is no price table.
 */
export function openPrices(values: OptionValues, { cwd }: Terminal): PriceTable {
  const name = textOption(values, 'prices')
  if (name === undefined) return new PriceTable()
  let value: unknown
  try {
    value = JSON.parse(readFileSync(resolve(cwd, name), 'utf8'))
  } catch (error) {
    throw new CassetteError('invalid-prices', `${name} cannot be read: ${(error as Error).message}`)
  }
  return parsePrices(value, name)
}

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
