import { decideFailure, type Failure } from './failure.ts'
import { UNWRITTEN, type UnwrittenFacts } from './failures/recordings.ts'

/** Explains a recording that could not be written, or that is too large to be read again. */
export function explainUnwritten(facts: UnwrittenFacts): Failure {
  return decideFailure(UNWRITTEN, facts)!
}
