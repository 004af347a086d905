import { appendFileSync } from 'node:fs'
import { diagnose } from '../explain/diagnose.ts'
import type { Failure } from '../explain/judge.ts'
import type { Session } from '../engine/session.ts'

/** Tells `doctor`, which started this run, what it wants to know: a line of JSON for each test. */
export function reportDiagnosis(file: string, session: Session, failure: Failure): void {
  appendFileSync(file, `${JSON.stringify(diagnose(session, failure))}\n`)
}
