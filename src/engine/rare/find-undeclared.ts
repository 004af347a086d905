import type { VolatileRule } from '../../config/volatile-rule.ts'
import { pairsBetween, type Bindings } from '../bind.ts'
import type { Found } from '../found.ts'
import { comparableTo, readIncoming, type Incoming } from '../incoming.ts'
import type { Recorded } from '../recorded.ts'
import { suggestRules } from './suggest.ts'

/** Finds the exchange that would answer a request if its volatile values were declared. */
export function findUndeclared(
  unused: readonly Recorded[],
  bindings: Bindings,
  incoming: Incoming,
  rules: readonly VolatileRule[],
): Found | undefined {
  for (const recorded of unused) {
    const known = recorded.incoming
    const asked = known && comparableTo(known, incoming)
    const undeclared = asked && suggestRules(known, asked, rules)
    if (!undeclared) continue
    const all = [...rules, ...undeclared.rules]
    const pairs = pairsBetween(
      readIncoming(known.wire, { volatile: all }),
      readIncoming(asked.wire, { volatile: all }),
    )
    if (!bindings.conflictOf(pairs)) return { recorded, pairs: () => pairs, undeclared }
  }
  return undefined
}
