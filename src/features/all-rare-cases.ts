import { sampleIn } from '../cassette/cassette.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { stepsBefore } from '../conversation/threads.ts'
import { type Bindings, pairsBetween } from '../engine/bind.ts'
import type { Found } from '../engine/match.ts'
import { comparableTo, type Incoming, readIncoming } from '../engine/incoming.ts'
import type { Course, RareCases, Sampled } from '../engine/rare-cases.ts'
import type { Recorded } from '../engine/recorded.ts'
import { loadLater } from '../real/load-later.ts'
import { loadRedactions } from '../secrets/redactions.ts'
import { isLive, askedThreadsOf } from './asked-threads.ts'
import { canBeWritten, isMeantFor, writtenAnswer } from './hand-written.ts'
import { keepAnswer } from './keep-answer.ts'
import { findFailed, leaveOvercome } from './overcome.ts'
import { suggestRules } from './suggest.ts'

export { askSpeakers } from './ask-speakers.ts'
export { otherModelOf, withModel } from './other-model.ts'
export { readStatistics } from './run-statistics.ts'

const loadFaults: () => typeof import('./faults/faults.ts') = loadLater(
  './faults.mjs',
  () => import('./faults/faults.ts'),
)

const loadPictures: () => typeof import('./compare-pictures.ts') = loadLater(
  './compare-pictures.mjs',
  () => import('./compare-pictures.ts'),
)

/** Features that few attempts use. They load together on first use. */
export const rareCases: RareCases = {
  isMeantFor,
  canBeWritten,
  writtenAnswer,
  cassetteOrLive,
  keepAnswer,
  findUndeclared,
  findFailed,
  leaveOvercome,
  keepSample,
  showValues: (of, response) => loadRedactions().redactionsOf(of).show(response),
  openFaults: (declared) => new (loadFaults().DeclaredFaults)(declared),
  openPictures: (options) => new (loadPictures().LookComparer)(options),
}

/**
 * Decides whether the cassette or the provider answers a request in mode `new`. A conversation begins with the
 * cassette, which hands over to the provider at the first prompt that it does not have. From there on the provider
 * answers, even where a later prompt is recorded: its history differs. Other conversations, such as those of
 * sub-agents, stay with the cassette.
 */
export function cassetteOrLive(course: Course, incoming: Incoming): 'cassette' | 'live' {
  const before = askedThreadsOf(course).before(incoming)
  return before && [before.step, ...stepsBefore(before)].some(isLive) ? 'live' : 'cassette'
}

/** Leaves the other samples of its test out of a session. A sample that is not recorded has no cassette. */
function keepSample(session: Sampled): void {
  const { exchanges: all } = session.cassette!
  const exchanges = sampleIn(session.cassette!, session.sample)
  if (exchanges.length === 0) session.samples = new Set(all.map(({ sample = 1 }) => sample))
  session.cassette = exchanges.length > 0 ? { ...session.cassette!, exchanges } : undefined
}

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
