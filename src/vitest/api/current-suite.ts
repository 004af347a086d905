import type { TestRunner } from 'vitest'
import { CassetteError } from '../../errors.ts'
import { shared } from '../../intercept/patch/shared.ts'

type Runner = typeof TestRunner

/** The set-up hands it over: a second Vitest, loaded by this package, would know no suite. */
const handed = shared<{ runner?: Runner }>('runner', () => ({}))

/** Keeps the runner of the file that is set up. */
export function keepRunner(current: Runner): void {
  handed.runner = current
}

/**
 * The suite whose tests are being defined.
 *
 * @throws CassetteError `invalid-option` where no set-up ran before.
 */
export function currentSuite(): ReturnType<Runner['getCurrentSuite']> {
  if (handed.runner) return handed.runner.getCurrentSuite()
  throw new CassetteError(
    'invalid-option',
    "useCassette() was called before the set-up of vitest-cassette. Import 'vitest-cassette/setup' first, or name the " +
      'plugin in the config.',
  )
}
