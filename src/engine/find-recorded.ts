import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { type Bindings, type Pair, pairsBetween } from './bind.ts'
import { comparableTo, type Incoming, readIncoming } from './incoming.ts'
import type { Matcher, MatchRules } from './match.ts'
import type { RareCases } from './rare-cases.ts'
import type { Recorded } from './recorded.ts'
import type { Miss } from './session-contract.ts'

/**
 * Finds the exchange that answers a request: it has the same prompt, and its volatile values do not contradict
 * earlier ones. If there is none, searches again with the live values from answers turned back into recorded ones.
 */
export function findRecorded(
  matcher: Matcher,
  bindings: Bindings,
  incoming: Incoming,
  options: MatchRules & Pick<ResolvedConfig, 'volatile' | 'doctor'>,
  rare: () => RareCases,
): Found | undefined {
  const find = (asked: Incoming, read: (pairs: Pair[]) => Pair[]): Found | undefined => {
    const pairsOf = ({ incoming: known }: Recorded): Pair[] =>
      known ? read(pairsBetween(known, comparableTo(known, asked))) : []
    const next = matcher.next(
      asked,
      options,
      // As long as all values equal the recorded ones, equal values contradict nothing.
      (entry, isVerbatim) =>
        (isVerbatim && !bindings.differ) || !bindings.conflictOf(pairsOf(entry)),
    )
    if (!next) return undefined
    const { recorded, isVerbatim } = next
    // A word-for-word match needs no pairs, so it keeps no reference to the live request.
    if (isVerbatim && !bindings.differ) return { recorded }
    return { recorded, pairs: () => pairsOf(recorded) }
  }
  const direct = find(incoming, (pairs) => pairs)
  if (direct) return direct
  const undone = bindings.undo(incoming)
  const { volatile } = options
  const { before } = incoming
  const found =
    undone && find(readIncoming(undone, { volatile, before }), (pairs) => bindings.redo(pairs))
  if (found || !options.doctor) return found
  return rare().findUndeclared(matcher.unused, bindings, incoming, volatile)
}

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

/** An exchange that answers a request, and the values of this run in place of the recorded ones. */
export interface Found {
  recorded: Recorded
  /** Absent where this request and all earlier ones have the recorded values, word for word. */
  pairs?: () => Pair[]
  /** The undeclared volatile values that differ; only a run of `doctor` finds such an exchange. */
  undeclared?: Suggestion
  /** The prompt differs, its place in the conversation is the same; only mode `prompts` finds such an exchange. */
  kept?: true
  /** The speaker of the test that gave the answer in this run; the answer is not recorded. */
  speaker?: string
}

/** The exchange whose answer is kept for a changed prompt, or why there is none. */
export interface KeptPlace {
  found?: Found
  notKept?: string
}

/** The rules that would resolve a miss in which only volatile values differ. */
export interface Suggestion {
  /** The rules that are missing, names and paths. */
  rules: VolatileRule[]
  /** The values that differ, with the rule that fits each. */
  pairs: Pair[]
}

/** A suggestion for a miss in which values differ that no named rule recognises. */
export interface PartialSuggestion extends Suggestion {
  /** Values at paths in `rules`, which no named rule recognises. Empty where no rule resolves the miss. */
  rest: Pair[]
}
