import { printable } from '../diff/render/printable.ts'
import type { Pair } from '../engine/bind.ts'
import type { Explanation } from './explain.ts'
import { labelled } from './labelled.ts'
import type { PartialSuggestion, Suggestion } from '../engine/found.ts'
import { besides } from '../engine/incoming.ts'
import { suggestPart } from '../engine/rare/suggest-part.ts'
import { findClosest } from './closest.ts'
import { spellRule } from '../engine/rare/suggest.ts'
import { headlineOfSuggestion, adviseOnSuggestion } from './advise-volatile.ts'
import type { Session } from '../engine/session.ts'

/** What `doctor` learns of one test. */
export interface Diagnosis {
  test: string
  /** The rules that hold for the test, as they are written. */
  declared: string[]
  /** Those that are missing. */
  missing: string[]
  /** The values that differ, with the rule that fits each. */
  pairs: Pair[]
  /** Why the test failed, where that is another reason. */
  problem?: string
}

/** What a test that failed in a run of `doctor` has to say. */
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

/** Fails a test that was answered although undeclared values differ, so that no run is green by `doctor`. */
export function explainUndeclared(session: Session, color: boolean): Explanation | undefined {
  const found = undeclaredIn(session)
  if (!found) return undefined
  const { test } = session
  const place = [
    labelled('test', printable(test.id), color),
    labelled('cassette', test.cassette, color),
  ]
  const details = [place.join('\n'), adviseOnSuggestion(found, session, true, color)].join('\n\n')
  return { headline: headlineOfSuggestion(found), details }
}

/** What can be said of the first request that nothing answers, where other values vary than named rules recognise. */
function partIn(session: Session): PartialSuggestion | undefined {
  const [miss] = session.misses
  if (!miss) return undefined
  const known = findClosest(session, session.recorded, miss.incoming)?.recorded.incoming
  return known && suggestPart(known, besides(known, miss.incoming), session.config.volatile)
}

/** What all requests of a test lack, each rule and each pair once. */
function undeclaredIn({ asked }: Session): Suggestion | undefined {
  const found = asked.flatMap(({ undeclared }) => undeclared ?? [])
  if (found.length === 0) return undefined
  const pairs = found.flatMap((one) => one.pairs)
  const byText = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]))
  return { rules: [...new Set(found.flatMap(({ rules }) => rules))], pairs: [...byText.values()] }
}
