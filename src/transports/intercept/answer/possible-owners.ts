import type { Attempt } from '../../../attempt/attempt.ts'
import { scopes } from '../../scope.ts'

/** The tests that a request can be for. */
export interface PossibleOwners {
  /** The running tests, but for the one whose code makes the request. */
  others: Attempt[]
  /** The test that is running, while no other runs beside it. */
  alone?: Attempt
  /** The file, for requests of which nobody knows the test. */
  ofFile?: Attempt
}

/**
 * The tests that a request of a scope can be for, where it need not be for its own: a queue or a loop works for all
 * tests in the async context of the one that started it.
 */
export function possibleOwners(scope: Attempt, order: number): PossibleOwners | undefined {
  const { running, alone, ofFile } = scopes
  const others: Attempt[] = []
  for (const [test, before] of running)
    if (test !== scope && before < order && !test.isOver(order)) others.push(test)
  const isOver = scope.isOver(order)
  // A test that can run beside others has calls in the cassette of the file where nobody knew whose they were.
  const canBeOfFile = ofFile && scope !== ofFile && (isOver || !alone)
  if (others.length === 0 && !canBeOfFile) return undefined
  const isSince = alone && (running.get(alone.attempt) ?? 0) >= order
  return { others, alone: isSince ? undefined : alone?.attempt, ofFile }
}
