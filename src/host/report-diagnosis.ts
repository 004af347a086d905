import type { AskedInRun } from '../explain/between-runs.ts'
import { diagnose } from '../explain/diagnose.ts'
import type { Failure } from '../explain/judge-attempt.ts'
import { spellRule } from '../engine/rare/suggest.ts'
import type { Session } from '../engine/session.ts'
import type { JsonValue } from '../json/json-value.ts'
import { appendJsonLine } from '../secrets/notes/notes.ts'

/** Reports a failed test to `doctor`, which started this run, as a line of JSON. */
export function reportDiagnosis(file: string, session: Session, failure: Failure): void {
  appendJsonLine(file, diagnose(session, failure))
}

/** Reports the requests of a test to `doctor --twice`, as a line of JSON for the last attempt of the test. */
export function reportAsked(file: string, session: Session): void {
  const { test, asked, misses, config } = session
  const answered = asked.map((one) => (one.recording ?? one).incoming)
  const all = [...answered, ...misses.map(({ incoming }) => incoming)]
  const line: AskedInRun = {
    test: test.id,
    declared: config.volatile.map(spellRule),
    requests: all.map(({ canonical }) => canonical as unknown as JsonValue),
    hasMiss: misses.length > 0,
  }
  appendJsonLine(file, line, { distinct: true })
}
