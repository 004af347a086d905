import { rankOf } from '../../diff/rank-changes.ts'
import { placeKey, type Change } from '../../diff/change.ts'
import type { CassetteComparison } from '../compare/compare-cassettes.ts'

/** Changes that are equal in several cassettes. */
export interface Group {
  /** The changes as they are in the first cassette; several if they are shown together. */
  changes: Change[]
  cassettes: CassetteComparison[]
}

/** Groups equal changes of all cassettes: those of the most cassettes first, and last those of ids, digests and dates. */
export function groupChanges(comparisons: readonly CassetteComparison[]): Group[] {
  const byKey = new Map<string, { change: Change; cassettes: CassetteComparison[] }>()
  for (const comparison of comparisons)
    for (const change of comparison.changes) {
      const known = byKey.get(change.key)
      if (known) known.cassettes.push(comparison)
      else byKey.set(change.key, { change, cassettes: [comparison] })
    }
  const numbers = new Map(comparisons.map((comparison, index) => [comparison, index]))
  // Lines of one text form one group if their cassettes are the same, and so do exchanges that were added or removed.
  const groups = Map.groupBy(byKey.values(), ({ change, cassettes }) => {
    const { place, key, kind } = change
    const all = cassettes.map((comparison) => numbers.get(comparison))
    if (place.of === 'exchange') return JSON.stringify([kind, all])
    return place.line === undefined ? key : JSON.stringify([placeKey(place), place.exchange, all])
  })
  return [...groups.values()]
    .map((found) => ({
      changes: found.map(({ change }) => change),
      cassettes: found[0]!.cassettes,
    }))
    .sort((one, other) => {
      const [rank, otherRank] = [rankOfGroup(one), rankOfGroup(other)]
      const [isLast, isOtherLast] = [rank === LAST, otherRank === LAST]
      return (
        Number(isLast) - Number(isOtherLast) ||
        other.cassettes.length - one.cassettes.length ||
        rank - otherRank
      )
    })
}

/** The rank of changes that follow from others, and of those that show nothing. */
const LAST = 3

function rankOfGroup({ changes }: Group): number {
  return Math.min(
    ...changes.map(({ place: { of, inside }, ...change }) => {
      if (change.kind === 'unseen') return LAST
      const rank = inside ? rankOf({ ...change, place: inside }) : 2
      return of === 'answer' ? Math.max(rank, 2) : rank
    }),
  )
}
