import { countOf } from '../diff/render/count-of.ts'
import type { Strategy } from './strategy.ts'

/** A test that no longer passes may have a recording that no longer fits. */
export const failures: Strategy = {
  name: 'failures',
  judge({ runs }, { maxFailures }) {
    if (maxFailures === undefined) return undefined
    if (!runs) return { valid: true, reason: 'this machine knows no run of it' }
    const { failuresInARow: inARow, attempts } = runs
    return {
      valid: inARow <= maxFailures,
      reason: `${countOf(inARow, 'failure')} in a row, of ${countOf(attempts, 'attempt')}; the limit is ${maxFailures}`,
    }
  },
}
