import { hasColors } from '../config/has-colors.ts'
import type { Failure } from '../explain/judge-attempt.ts'
import { loadExplain } from './load-explain.ts'
import type { LateListener } from './owner.ts'

/** Explains what comes too late for its test to fail, and adds it to the failures of its file. */
export function lateFailures(failures: Array<Promise<Failure | undefined>>): LateListener {
  return {
    hear(session, { recording, miss, error }) {
      const { explainLate, explainSent } = loadExplain()
      const explained = recording
        ? explainSent([{ session, recording }])
        : explainLate(session, { miss, error }, hasColors())
      failures.push(Promise.resolve(explained))
    },
    release: (journal) => journal.release(),
  }
}
