import type { CassetteOptions } from '../../../config/options.ts'
import { CassetteError } from '../../../errors.ts'

/**
 * The options of a run, with the number of samples that `SAMPLES` names.
 *
 * @throws CassetteError `invalid-environment`
 */
export function withSamples(
  options: CassetteOptions,
  { SAMPLES: value }: Record<string, string | undefined>,
): CassetteOptions {
  if (!value) return options
  const samples = Number(value)
  if (Number.isSafeInteger(samples) && samples > 0) return { ...options, samples }
  throw new CassetteError(
    'invalid-environment',
    `SAMPLES=${value} is not a number of samples. Set it to how often each test runs, such as SAMPLES=5.`,
  )
}
