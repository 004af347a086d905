import { hideReported } from '../../../secrets/notes.ts'
import type { Told } from './worker-state.ts'

/** What a worker tells, without known credentials. Of tasks that is in their errors alone. */
export function hideTold(told: unknown[]): unknown[] {
  const [first] = told
  if (!Array.isArray(first)) return hideReported(told)
  for (const one of first as Told[]) {
    const result = one.result ?? one[1]
    if (result?.errors) result.errors = hideReported(result.errors)
  }
  return told
}
