import { hasColors } from '../config/has-colors.ts'
import type { ReportedFailure } from '../explain/failure.ts'
import { loadExplain } from './load-explain.ts'
import type { LateListener } from './owner.ts'

/** Explains what comes too late for its test to fail, and adds it to the failures of its file. */
export function lateFailures(failures: Array<Promise<ReportedFailure | undefined>>): LateListener {
  return {
    hear(session, { recording, miss, error }) {
      const { explainLate, explainSent } = loadExplain()
      const explained = recording
        ? explainSent([{ session, recording }], hasColors())
        : explainLate(session, { miss, error }, hasColors())
      failures.push(Promise.resolve(explained))
    },
    release: (journal) => journal.release(),
  }
}
