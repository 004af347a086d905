import { CassetteError } from '../errors.ts'
import type { Environment } from './environment.ts'

/**
 * What happens to a request:
 * - `replay`: answered from the cassette, or a miss
 * - `new`: answered from the cassette, recorded where that has no answer
 * - `all`: recorded afresh
 * - `prompts`: as `replay`, and a prompt that changed in place keeps the answer that was recorded there
 * - `off`: sent as if this package were not there
 */
export type Mode = 'replay' | 'new' | 'all' | 'prompts' | 'off'

/** The modes as caches call their strategies: what a mode does with a recording. */
export type CachingStrategy = 'read' | 'write' | 'both' | 'no'

/** Which mode a strategy is. */
export const STRATEGIES: Record<CachingStrategy, Mode> = {
  read: 'replay',
  write: 'all',
  both: 'new',
  no: 'off',
}

/** What `RECORD` may say. */
const RECORD_VALUES: Record<string, Mode> = {
  ...STRATEGIES,
  '': 'replay',
  '0': 'replay',
  false: 'replay',
  none: 'replay',
  replay: 'replay',
  new: 'new',
  '1': 'all',
  true: 'all',
  all: 'all',
  'all-bytes': 'all',
  prompts: 'prompts',
  off: 'off',
}

/**
 * Decides the mode of a run. `RECORD` wins over the option; a `mode` option that records is read as
 * `replay` on CI, and `RECORD` there is refused unless `RECORD_IN_CI=1` says that it is meant.
 *
 * @throws CassetteError `invalid-environment` for an unknown `RECORD`, `recording-refused` on CI.
 */
export function decideMode(
  option: Mode | CachingStrategy | undefined,
  environment: Environment,
): Mode {
  if (environment.record === undefined) {
    const mode = STRATEGIES[option as CachingStrategy] ?? option ?? 'replay'
    return environment.ci && records(mode) && !environment.recordInCi ? 'replay' : mode
  }
  const value = environment.record.trim().toLowerCase()
  if (!Object.hasOwn(RECORD_VALUES, value)) throw unknownRecord(environment.record)
  const mode = RECORD_VALUES[value]!
  if (environment.ci && records(mode) && !environment.recordInCi)
    throw refusedOnCi(environment.record)
  return mode
}

/** True where the environment asks for every byte anew, of answers that say the same too. */
export function asksForAllBytes({ record }: Environment): boolean {
  return record?.trim().toLowerCase() === 'all-bytes'
}

/** True for modes in which no request leaves for a provider. */
export function sendsNothing(mode: Mode): boolean {
  return mode === 'replay' || mode === 'prompts'
}

/** True for modes that can change a cassette. */
function records(mode: Mode): boolean {
  return mode === 'new' || mode === 'all' || mode === 'prompts'
}

function unknownRecord(value: string): CassetteError {
  return new CassetteError(
    'invalid-environment',
    `RECORD=${value} is not a mode. Use one of:\n` +
      '  RECORD=1 or RECORD=all   record every answer afresh\n' +
      '  RECORD=all-bytes         the same, and rewrite what says the same as before\n' +
      '  RECORD=new               replay, and record what is missing\n' +
      '  RECORD=prompts           replay, and keep the answers of prompts that changed in place\n' +
      '  RECORD=off               call the providers, store nothing\n' +
      '  RECORD=0 or unset        replay only (the default)\n' +
      'The strategies of a cache are understood too: read, write (all), both (new), no (off).',
  )
}

function refusedOnCi(value: string): CassetteError {
  return new CassetteError(
    'recording-refused',
    `RECORD=${value} is refused because CI is set: a CI run that records can never fail on a changed prompt.\n` +
      'Record on your machine and commit __recordings__/. To record on CI all the same, set RECORD_IN_CI=1.',
  )
}
