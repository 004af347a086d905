import { parseArgs } from 'node:util'
import { flag, invalidCommand, type Option, readCap, takesText } from '../terminal/options.ts'

/** The command line of `record`. */
export interface RecordWords {
  /** The value of `RECORD` in the run. */
  mode: '1' | 'new' | 'prompts' | 'all-bytes'
  /** Which tests are recorded: all that run, those that a replay shows to need it, or those with kept answers. */
  which: 'all' | 'missing' | 'changed' | 'kept'
  /** How many samples of each test the run has. */
  samples?: number
  /** In US dollars. */
  maxCost?: number
  /** The arguments for Vitest. */
  others: string[]
  /** Whether standard output is data. */
  json?: true
}

/** The options of `record`. All others are for Vitest. */
export const RECORD_OPTIONS: Readonly<Record<string, Option>> = {
  missing: flag('replay first, then record only tests that have no recording'),
  changed: flag('replay first, then record only tests whose recording misses'),
  kept: flag('record only tests with answers that were kept for changed prompts'),
  'max-cost': takesText(
    'in US dollars: send no call that could exceed it, and keep the answers paid for',
  ),
  json: flag('write what was recorded as JSON to standard output, and all else to standard error'),
  'all-bytes': flag('rewrite also answers that did not change, as RECORD=all-bytes does'),
  new: flag('record only the missing requests of each conversation, as RECORD=new does'),
  samples: takesText(
    'run each test so often, and record the samples that are missing, as SAMPLES=5 RECORD=new does',
  ),
  prompts: flag(
    'keep the answers of prompts that changed in place, as RECORD=prompts does; sends no request',
  ),
}

const MODES: ReadonlyArray<RecordWords['mode']> = ['new', 'prompts', 'all-bytes']
const WHICH: ReadonlyArray<RecordWords['which']> = ['missing', 'changed', 'kept']

/**
 * Separates the arguments of `record` from those of Vitest.
 *
 * @throws CassetteError `invalid-command` for arguments that contradict each other, and an invalid
 *   `--max-cost`.
 */
export function readRecordWords(given: readonly string[]): RecordWords {
  const args = given.filter((word) => word !== '--')
  const { tokens } = parseArgs({ args, options: RECORD_OPTIONS, strict: false, tokens: true })
  const options = tokens.filter((token) => token.kind === 'option')
  const own = options.filter(({ name }) => Object.hasOwn(RECORD_OPTIONS, name))
  const isGiven = (name: string): boolean => own.some((option) => option.name === name)
  const count = own.find(({ name }) => name === 'samples')
  const [mode = count ? 'new' : '1'] = own.flatMap(
    ({ name }) => MODES.find((one) => one === name) ?? [],
  )
  const which = WHICH.find(isGiven)
  const [one, other] = [...new Set(own.map(({ name }) => name))].filter(
    (name) => !['all-bytes', 'max-cost', 'json'].includes(name),
  )
  const isRewritten = isGiven('all-bytes') && one !== undefined && one !== which
  if (other !== undefined || isRewritten)
    throw invalidCommand(
      `--${one} and --${other ?? 'all-bytes'} contradict each other. Use one of them.`,
    )
  const cap = own.find(({ name }) => name === 'max-cost')
  const taken = new Set(
    own.flatMap(({ index, inlineValue }) => (inlineValue === false ? [index, index + 1] : index)),
  )
  return {
    mode,
    which: which ?? 'all',
    ...(count ? { samples: readCount(count.value) } : {}),
    maxCost: cap && readCap(cap.value),
    json: isGiven('json') || undefined,
    others: args.filter((_, index) => !taken.has(index)),
  }
}

function readCount(text: string | undefined): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw invalidCommand('--samples takes a number of samples, such as --samples 5.')
}
