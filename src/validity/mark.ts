import type { Strategy } from './strategy.ts'

/** A person marked the recording as invalid, with `vitest-cassette invalidate`. */
export const mark: Strategy = {
  name: 'mark',
  judge({ invalid }) {
    if (!invalid) return { valid: true, reason: 'it is not marked as invalid' }
    return {
      valid: false,
      reason: `called invalid on ${invalid.since.slice(0, 10)}: ${invalid.reason}`,
    }
  },
}
