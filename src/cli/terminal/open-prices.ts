import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PriceTable } from '../../conversation/cost/cost.ts'
import { parsePrices } from '../../conversation/cost/parse-prices.ts'
import { CassetteError } from '../../errors.ts'
import type { Terminal } from './command.ts'
import { takesText, textOf, type OptionValues } from './options.ts'

export const PRICES_OPTION = {
  prices: takesText(
    'a JSON file with prices of your own: { "model": { "input": 1, "output": 2 } }',
  ),
}

/**
 * The prices that `--prices` gives, over ours.
 *
 * @throws CassetteError `invalid-prices` for a file that is no price table.
 */
export function openPrices(values: OptionValues, { cwd }: Terminal): PriceTable {
  const name = textOf(values, 'prices')
  if (name === undefined) return new PriceTable()
  let value: unknown
  try {
    value = JSON.parse(readFileSync(resolve(cwd, name), 'utf8'))
  } catch (error) {
    throw new CassetteError('invalid-prices', `${name} cannot be read: ${(error as Error).message}`)
  }
  return parsePrices(value, name)
}
