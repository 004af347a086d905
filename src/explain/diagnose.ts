import type { ValuePair } from '../engine/bind.ts'
import type { PartialSuggestion } from '../engine/match.ts'
import { comparableTo } from '../engine/incoming.ts'
import { findClosest } from './closest.ts'
import { spellRule, suggestPart } from '../features/suggest.ts'
import { undeclaredIn } from './facts/undeclared.ts'
import type { RenderedFailure } from './failure.ts'
import type { Session } from '../engine/session.ts'

/** The findings of `doctor` about one test. */
export interface Diagnosis {
  test: string
  /** The rules of the test, as source code. */
  declared: string[]
  /** The missing rules, as source code. */
  missing: string[]
  /** The values that differ, with the rule that fits each. */
  pairs: ValuePair[]
  /** Why the test failed, where undeclared values are not the only reason. */
  problem?: string
}

/** The diagnosis of a test that failed in a run of `doctor`. */
export function diagnose(session: Session, failure: RenderedFailure): Diagnosis {
  const found = undeclaredIn(session)
  const part = partIn(session)
  return {
    test: session.test.id,
    declared: session.config.volatile.map(spellRule),
    missing: [...new Set([...(found?.rules ?? []), ...(part?.rules ?? [])])].map(spellRule),
    pairs: [...(found?.pairs ?? []), ...(part?.pairs ?? []), ...(part?.rest ?? [])],
    ...(found && session.misses.length === 0 ? {} : { problem: failure.headline }),
  }
}

/** The suggestion for the first miss, where values differ that named rules do not recognise. */
function partIn(session: Session): PartialSuggestion | undefined {
  const [miss] = session.misses
  if (!miss) return undefined
  const known = findClosest(session, session.recorded, miss.incoming)?.recorded.incoming
  return known && suggestPart(known, comparableTo(known, miss.incoming), session.config.volatile)
}
