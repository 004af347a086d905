import type { TestRunner } from 'vitest'
import { CassetteError } from '../errors.ts'

type Runner = typeof TestRunner

/** Handed over by the set-up: a second Vitest that this package loaded would know of no suite. */
let runner: Runner | undefined

/** Keeps the runner of the file that is set up. */
export function keepRunner(current: Runner): void {
  runner = current
}

/**
 * The suite whose tests are being defined.
 *
 * @throws CassetteError `invalid-option` where no set-up ran before.
 */
export function currentSuite(): ReturnType<Runner['getCurrentSuite']> {
  if (runner) return runner.getCurrentSuite()
  throw new CassetteError(
    'invalid-option',
    "useCassette() was called before the set-up of vitest-cassette. Import 'vitest-cassette/setup' first, or name the " +
      'plugin in the config.',
  )
}
