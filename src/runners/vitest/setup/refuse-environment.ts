import { CassetteError } from '../../../errors.ts'

/** Globals of an environment in the place of which interception puts others. */
const REPLACED = ['fetch', 'Headers', 'Request', 'Response', 'WebSocket']

/**
 * Refuses an environment of a vm pool whose globals are there for good, such as that of `@edge-runtime/vm`: nothing can
 * stand in their place.
 *
 * @throws CassetteError `unsupported-vitest`
 */
export function refuseEnvironment(): void {
  const fixed = REPLACED.filter(
    (name) => Object.getOwnPropertyDescriptor(globalThis, name)?.configurable === false,
  )
  if (fixed.length === 0) return
  throw new CassetteError(
    'unsupported-vitest',
    `The environment of this file defines ${fixed.join(', ')} for good, so in a vm pool nothing can be recorded or replayed. Use the pool forks or threads: test: { pool: 'forks' }.`,
  )
}
