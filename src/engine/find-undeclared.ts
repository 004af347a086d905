import type { VolatileRule } from '../config/volatile-rule.ts'
import { pairsBetween, type Bindings, type Pair } from './bind.ts'
import { besides, readIncoming, type Incoming } from './incoming.ts'
import type { Matcher, Recorded } from './match.ts'
import { suggestRules, type Suggestion } from './suggest.ts'

/** An exchange whose prompt differs in nothing but values that named rules would find. */
export interface Undeclared {
  recorded: Recorded
  pairs: Pair[]
  undeclared: Suggestion
}

/** Finds what would answer a request if its volatile values were declared. */
export function findUndeclared(
  matcher: Matcher,
  bindings: Bindings,
  incoming: Incoming,
  rules: readonly VolatileRule[],
): Undeclared | undefined {
  for (const recorded of matcher.unused) {
    const known = recorded.incoming
    const asked = known && besides(known, incoming)
    const undeclared = asked && suggestRules(known, asked, rules)
    if (!undeclared) continue
    const all = [...rules, ...undeclared.rules]
    const pairs = pairsBetween(readIncoming(known.wire, all), readIncoming(asked.wire, all))
    if (!bindings.conflictOf(pairs)) return { recorded, pairs, undeclared }
  }
  return undefined
}
