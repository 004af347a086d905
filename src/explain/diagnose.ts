import type { ValuePair } from '../engine/bind.ts'
import type { Explanation } from './explain-miss.ts'
import { labelTest } from './labelled.ts'
import type { PartialSuggestion, Suggestion } from '../engine/match.ts'
import { comparableTo } from '../engine/incoming.ts'
import { findClosest } from './closest.ts'
import { spellRule, suggestPart } from '../features/suggest.ts'
import { headlineOfSuggestion, adviseOnSuggestion } from './advice/advise-volatile.ts'
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
export function diagnose(session: Session, failure: Explanation): Diagnosis {
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

/** Fails a test that was answered although undeclared values differ, so that `doctor` makes no run green. */
export function explainUndeclared(session: Session): Explanation | undefined {
  const found = undeclaredIn(session)
  if (!found) return undefined
  const advice = adviseOnSuggestion(found, session, true)
  const details = [...labelTest(session.test), '', advice].join('\n')
  return { headline: headlineOfSuggestion(found), details }
}

/** The suggestion for the first miss, where values differ that named rules do not recognise. */
function partIn(session: Session): PartialSuggestion | undefined {
  const [miss] = session.misses
  if (!miss) return undefined
  const known = findClosest(session, session.recorded, miss.incoming)?.recorded.incoming
  return known && suggestPart(known, comparableTo(known, miss.incoming), session.config.volatile)
}

/** The missing rules of all requests of a test, each rule and each pair once. */
function undeclaredIn({ asked }: Session): Suggestion | undefined {
  const found = asked.flatMap(({ undeclared }) => undeclared ?? [])
  if (found.length === 0) return undefined
  const pairs = found.flatMap((one) => one.pairs)
  const byText = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]))
  return { rules: [...new Set(found.flatMap(({ rules }) => rules))], pairs: [...byText.values()] }
}
