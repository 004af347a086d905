import type { VolatileRule } from '../config/volatile-rule.ts'
import { pairsBetween, type Bindings, type Pair } from './bind.ts'
import { readIncoming, type Incoming } from './incoming.ts'
import type { Matcher, Recorded } from './match.ts'

/** An exchange that answers, and the values of this run that stand for its own. */
export interface Found {
  recorded: Recorded
  pairs: Pair[]
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
  options: { volatile: readonly VolatileRule[]; repeats: 'strict' | 'last' },
): Found | undefined {
  const find = (asked: Incoming, read: (pairs: Pair[]) => Pair[]): Found | undefined => {
    const pairsOf = ({ incoming: known }: Recorded): Pair[] =>
      known ? read(pairsBetween(known, asked)) : []
    const fits = (entry: Recorded): boolean => !bindings.conflictOf(pairsOf(entry))
    const recorded = matcher.next(asked, options.repeats === 'last', fits)
    return recorded && { recorded, pairs: pairsOf(recorded) }
  }
  const direct = find(incoming, (pairs) => pairs)
  const undone = direct ? undefined : bindings.undo(incoming.wire)
  if (!undone) return direct
  const { after } = incoming.canonical
  return find(readIncoming(undone, options.volatile, after), (pairs) => bindings.redo(pairs))
}
