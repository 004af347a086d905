import { CassetteError } from '../errors.ts'
import type { Environment } from './environment.ts'
import { type CachingStrategy, type Mode, STRATEGY_MODES } from './mode.ts'

/** The values of `RECORD`. */
const RECORD_VALUES: Record<string, Mode> = {
  ...STRATEGY_MODES,
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
 * Decides the mode of a run. `RECORD` wins over the option. On CI, a `mode` option that records means `replay`, and a
 * `RECORD` that records is refused unless `RECORD_IN_CI=1` allows it.
 *
 * @throws CassetteError `invalid-environment` for an unknown `RECORD`, `recording-refused` on CI.
 */
export function decideMode(
  option: Mode | CachingStrategy | undefined,
  environment: Environment,
): Mode {
  if (environment.record === undefined) {
    const mode = STRATEGY_MODES[option as CachingStrategy] ?? option ?? 'replay'
    return environment.ci && records(mode) && !environment.recordInCi ? 'replay' : mode
  }
  const value = environment.record.trim().toLowerCase()
  if (!Object.hasOwn(RECORD_VALUES, value)) throw unknownRecord(environment.record)
  const mode = RECORD_VALUES[value]!
  if (environment.ci && records(mode) && !environment.recordInCi)
    throw refusedOnCi(environment.record)
  return mode
}

/** True if the environment asks to rewrite every byte, even of answers whose meaning has not changed. */
export function asksForAllBytes({ record }: Environment): boolean {
  return record?.trim().toLowerCase() === 'all-bytes'
}

/** True for modes that record answers of providers. */
export function recordsAnswers(mode: Mode | undefined): boolean {
  return mode === 'new' || mode === 'all'
}

/** True for modes that can change a cassette. */
function records(mode: Mode): boolean {
  return recordsAnswers(mode) || mode === 'prompts'
}

function unknownRecord(value: string): CassetteError {
  return new CassetteError(
    'invalid-environment',
    `RECORD=${value} is not a mode. Use one of:\n` +
      '  RECORD=1 or RECORD=all   record every answer afresh\n' +
      '  RECORD=all-bytes         the same, and rewrite answers that did not change\n' +
      '  RECORD=new               replay, and record missing requests\n' +
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
      'Record on your machine and commit __recordings__/. To record on CI anyway, set RECORD_IN_CI=1.',
  )
}
