import { pairsBetween, type Bindings } from './bind.ts'
import type { Incoming } from './incoming.ts'
import type { Matcher, MatchRules } from './match.ts'
import type { Miss } from './miss.ts'

/** Why an exchange that has the prompt of a request does not answer it. */
export function whyMissed(
  matcher: Matcher,
  bindings: Bindings,
  incoming: Incoming,
  { repeats, unordered }: MatchRules,
): Pick<Miss, 'conflict' | 'turn'> {
  const answering = matcher.answering(incoming)
  const unused = answering.find((entry) => !entry.played)
  const same = (unused ?? (repeats === 'strict' ? undefined : answering.at(-1)))?.incoming
  return {
    conflict: same && bindings.conflictOf(pairsBetween(same, incoming)),
    turn: unused && !unordered ? matcher.unused[0] : undefined,
  }
}
