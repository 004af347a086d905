import type { Attempt } from '../../../attempt/attempt.ts'
import { readEnvironment } from '../../../config/environment.ts'
import type { CassetteOptions, TestOptions } from '../../../config/options.ts'
import { recognizeOptions, recognizeTestOptions } from '../../../config/recognize-options.ts'
import { resolveConfig } from '../../../config/resolved-config.ts'
import { loadLater } from '../../../real/load-later.ts'

/** Loads the schema of the options, which names each mistake. Right options need none. */
export const loadSchema = loadLater(
  './schema.mjs',
  () => import('../../../config/parse-options.ts'),
)

/**
 * Checks options that a user wrote.
 *
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function checkOptions(options: unknown): CassetteOptions {
  return recognizeOptions(options) ?? loadSchema().parseOptions(options)
}

/**
 * Checks options that a user wrote for one test.
 *
 * @throws CassetteError `invalid-option` that names each wrong option and the valid ones.
 */
export function checkTestOptions(options: unknown): TestOptions {
  return recognizeTestOptions(options) ?? loadSchema().parseTestOptions(options)
}

/** Sets options that were checked on an attempt. */
export function setOptions(attempt: Pick<Attempt, 'configure'>, checked: TestOptions): void {
  attempt.configure(checked, readEnvironment(process.env), resolveConfig)
}
