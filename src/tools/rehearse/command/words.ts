import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PriceTable } from '../../../conversation/cost.ts'
import { readCap } from '../../programs/record-words.ts'
import type { UserJudge } from '../judge-asking.ts'
import { readAtOption } from '../other-dialect.ts'
import { readModelMap, type ModelMap } from '../../../features/other-model.ts'
import { readOwnKeys, type OwnKeys } from '../provider-key.ts'
import { openPrices } from '../../terminal/open-prices.ts'
import type { Terminal } from '../../terminal/command.ts'
import {
  invalidCommand,
  numberOption,
  textOption,
  textOptions,
  type OptionValues,
} from '../../terminal/options.ts'

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

const COUNT = 'a whole number above 0'

/**
 * Reads the options of `rehearse`.
 *
 * @throws CassetteError `invalid-command` for a value that an option cannot have.
 */
export function readWords(values: OptionValues, terminal: Terminal): RehearseWords {
  const cap = textOption(values, 'max-cost')
  const maxCost = cap === undefined ? undefined : readCap(cap)
  const agree = numberOption(values, 'agree', COUNT)
  const at = textOption(values, 'at')
  const history = textOption(values, 'history')
  return {
    samples: numberOption(values, 'samples', COUNT) ?? 1,
    ...(agree === undefined ? {} : { agree }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(history === undefined ? {} : { history }),
    atOnce: numberOption(values, 'at-once', COUNT) ?? 4,
    timeoutMs: (numberOption(values, 'timeout', COUNT) ?? 120) * 1_000,
    ...(at === undefined ? {} : { at: readAtOption(at) }),
    keys: readOwnKeys(textOptions(values, 'key')),
    models: readModelMap(textOption(values, 'model'), textOptions(values, 'map')),
    prices: openPrices(values, terminal),
  }
}

/**
 * Loads the function that `--judge` names.
 *
 * @throws CassetteError `invalid-command` if the file cannot be loaded, or has no such function.
 */
export async function loadJudge(
  values: OptionValues,
  { cwd }: Terminal,
): Promise<UserJudge | undefined> {
  const name = textOption(values, 'judge')
  if (name === undefined) return undefined
  let loaded: { default?: unknown }
  try {
    loaded = (await import(pathToFileURL(resolve(cwd, name)).href)) as { default?: unknown }
  } catch (error) {
    throw invalidCommand(`${name} cannot be loaded: ${(error as Error).message}`, { cause: error })
  }
  if (typeof loaded.default === 'function') return loaded.default as UserJudge
  throw invalidCommand(
    `${name} has no function as its default export. Write: export default ({ before, now }) => now.text.includes('Paris')`,
  )
}
