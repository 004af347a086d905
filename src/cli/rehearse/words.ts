import type { PriceTable } from '../../conversation/cost/cost.ts'
import { readAddress } from '../../rehearse/other-dialect/hand-over.ts'
import { readModelMap, type ModelMap } from '../../rehearse/other-model.ts'
import { readOwnKeys, type OwnKeys } from '../../rehearse/provider-key.ts'
import { openPrices } from '../terminal/open-prices.ts'
import { invalidCommand, textOf, type OptionValues, type Terminal } from '../terminal/command.ts'

/** The parsed options of `rehearse`. */
export interface RehearseWords {
  samples: number
  agree?: number
  maxCost?: number
  atOnce: number
  timeoutMs: number
  keys: OwnKeys
  models: ModelMap
  /** The address at which another model is asked. */
  at?: string
  prices: PriceTable
  /** The file of the history. */
  history?: string
}

/**
 * Reads the options of `rehearse`.
 *
 * @throws CassetteError `invalid-command` for a value that an option cannot have.
 */
export function readWords(values: OptionValues, terminal: Terminal): RehearseWords {
  const maxCost = amountOf(values)
  const agree = countOf(values, 'agree')
  const at = textOf(values, 'at')
  const history = textOf(values, 'history')
  return {
    samples: countOf(values, 'samples') ?? 1,
    ...(agree === undefined ? {} : { agree }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(history === undefined ? {} : { history }),
    atOnce: countOf(values, 'at-once') ?? 4,
    timeoutMs: (countOf(values, 'timeout') ?? 120) * 1_000,
    ...(at === undefined ? {} : { at: readAddress(at) }),
    keys: readOwnKeys(listOf(values.key)),
    models: readModelMap(textOf(values, 'model'), listOf(values.map)),
    prices: openPrices(values, terminal),
  }
}

function listOf(value: OptionValues[string]): string[] {
  return [value ?? []].flat().map(String)
}

function countOf(values: OptionValues, name: string): number | undefined {
  const text = textOf(values, name)
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw invalidCommand(`--${name} takes a whole number above 0, not '${text}'.`)
}

function amountOf(values: OptionValues): number | undefined {
  const text = textOf(values, 'max-cost')
  if (text === undefined) return undefined
  const amount = Number(text.replace(/^\$/, '') || NaN)
  if (amount >= 0) return amount
  throw invalidCommand('--max-cost takes an amount in US dollars, such as --max-cost 2.')
}
