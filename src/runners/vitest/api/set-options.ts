import type { Attempt } from '../../../attempt/attempt.ts'
import { checkTestOptions } from '../../../config/check-options.ts'
import { readEnvironment } from '../../../config/environment.ts'
import type { TestOptions } from '../../../config/options.ts'
import { resolveConfig } from '../../../config/resolved-config.ts'

/** Sets options that were checked on an attempt. */
export function setOptions(attempt: Pick<Attempt, 'configure'>, checked: TestOptions): void {
  attempt.configure(checked, readEnvironment(process.env), resolveConfig)
}

/**
 * Sets options that a user wrote on an attempt.
 *
 * @throws CassetteError `invalid-option`
 */
export function checkAndSetOptions(attempt: Pick<Attempt, 'configure'>, options: unknown): void {
  setOptions(attempt, checkTestOptions(options))
}
