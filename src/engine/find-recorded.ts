import type { ResolvedConfig } from '../config/resolved-config.ts'
import { pairsBetween, type Bindings, type Pair } from './bind.ts'
import { findUndeclared } from './find-undeclared.ts'
import { besides, readIncoming, type Incoming } from './incoming.ts'
import type { Matcher, MatchRules, Recorded } from './match.ts'
import type { Suggestion } from './suggest.ts'

/** An exchange that answers, and the values of this run that stand for its own. */
export interface Found {
  recorded: Recorded
  pairs: Pair[]
  /** What differs although nobody declared it; only a run of `doctor` finds such an exchange. */
  undeclared?: Suggestion
  /** The prompt is another one, and its place in the conversation the same; only mode `prompts` finds such an exchange. */
  kept?: true
}

/**
 * Finds the exchange that answers a request: the same prompt, and no value in it that stood for
 * another one before. Where there is none, the request is looked at once more with what answers were
 * given turned back.
 */
export function findRecorded(
  matcher: Matcher,
  bindings: Bindings,
  incoming: Incoming,
  options: MatchRules & Pick<ResolvedConfig, 'volatile' | 'doctor'>,
): Found | undefined {
  const find = (asked: Incoming, read: (pairs: Pair[]) => Pair[]): Found | undefined => {
    const pairsOf = ({ incoming: known }: Recorded): Pair[] =>
      known ? read(pairsBetween(known, besides(known, asked))) : []
    const fits = (entry: Recorded): boolean => !bindings.conflictOf(pairsOf(entry))
    const recorded = matcher.next(asked, options, fits)
    return recorded && { recorded, pairs: pairsOf(recorded) }
  }
  const direct = find(incoming, (pairs) => pairs)
  if (direct) return direct
  const undone = bindings.undo(incoming.wire)
  const { after } = incoming
  const found =
    undone && find(readIncoming(undone, options.volatile, after), (pairs) => bindings.redo(pairs))
  if (found || !options.doctor) return found
  return findUndeclared(matcher, bindings, incoming, options.volatile)
}
