import type { Miss } from '../../src/engine/session-contract.ts'
import type { Session } from '../../src/engine/session.ts'
import { failureOfMiss } from '../../src/explain/explain-miss.ts'
import type { RenderedFailure } from '../../src/explain/failure.ts'
import * as judging from '../../src/explain/judge-attempt.ts'
import { renderFailure } from '../../src/explain/render-failure.ts'

/** A verdict, with its failure as a runner reports it. */
export interface Verdict extends Omit<judging.Verdict, 'failure'> {
  failure?: RenderedFailure
}

/** Judges an attempt, and lays its failure out. */
export function judgeAttempt(session: Session, outcome: judging.AttemptOutcome): Verdict {
  const { failure, ...verdict } = judging.judgeAttempt(session, outcome)
  return failure ? { ...verdict, failure: renderFailure(failure, outcome.color) } : verdict
}

/** The failure of a miss, laid out. */
export function explainMiss(session: Session, miss: Miss, color: boolean): RenderedFailure {
  return renderFailure(failureOfMiss(session, miss, color), color)
}
