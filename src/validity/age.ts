import { countOf } from '../diff/render/count-of.ts'
import type { Strategy } from './strategy.ts'

const DAY = 24 * 60 * 60 * 1_000

/** The oldest answer counts: one that was added yesterday makes the others no younger. */
export const age: Strategy = {
  name: 'age',
  judge({ recorded }, { maxAge }, now) {
    if (maxAge === undefined) return undefined
    if (!recorded) return { valid: true, reason: 'answers written by hand do not age' }
    const days = (now.getTime() - recorded.getTime()) / DAY
    const passed = countOf(Math.max(0, Math.floor(days)), 'day')
    return {
      valid: days <= maxAge,
      reason: `recorded ${passed} ago, on ${recorded.toISOString().slice(0, 10)}; the limit is ${maxAge}`,
    }
  },
}
