import { dirname } from 'node:path/posix'
import { costText, sumUsage, tokensText } from '../../conversation/cost.ts'
import { type Change, placeKey } from '../../diff/change.ts'
import { describePlace } from '../../diff/describe-change.ts'
import type { PromptChange } from '../../diff/prompt-change.ts'
import { rankOf } from '../../diff/rank-changes.ts'
import { revealOddBlanks } from '../../diff/reveal.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import type { CassetteComparison } from '../compare/compare-cassettes.ts'

/** Changes that are equal in several cassettes. */
export interface Group {
  /** The changes as they are in the first cassette; several if they are shown together. */
  changes: Change[]
  cassettes: CassetteComparison[]
}

/** Groups equal changes of all cassettes: those of the most cassettes first, and last those of ids, digests and dates. */
export function groupChanges(comparisons: readonly CassetteComparison[]): Group[] {
  const all = comparisons.flatMap((cassette) =>
    cassette.changes.map((change) => ({ change, cassette })),
  )
  const byKey = Map.groupBy(all, ({ change }) => change.key)
  const numbers = new Map(comparisons.map((comparison, index) => [comparison, index]))
  // Lines of one text form one group if their cassettes are the same, and so do exchanges that were added or removed.
  const groups = Map.groupBy(byKey.values(), (equal) => {
    const { place, key, kind } = equal[0]!.change
    const inCassettes = equal.map(({ cassette }) => numbers.get(cassette))
    if (place.of === 'exchange') return JSON.stringify([kind, inCassettes])
    return place.line === undefined
      ? key
      : JSON.stringify([placeKey(place), place.exchange, inCassettes])
  })
  return Array.from(groups.values(), (found) => ({
    changes: found.map((equal) => equal[0]!.change),
    cassettes: found[0]!.map(({ cassette }) => cassette),
  })).sort(
    (one, other) =>
      Number(rankOfGroup(one) === LAST) - Number(rankOfGroup(other) === LAST) ||
      other.cassettes.length - one.cassettes.length ||
      rankOfGroup(one) - rankOfGroup(other),
  )
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

/** The place of the change of a group, from the outside in: `prompt`, `system`, `line 13`. */
export function describeGroup({ changes, cassettes }: Group): string[] {
  const [first] = changes as [Change, ...Change[]]
  const isOne = cassettes.length === 1
  const { of, inside } = first.place
  const lines = changes.flatMap(({ place: { line } }) => line ?? [])
  const exchanges = changes.flatMap(({ place: { exchange } }) => exchange ?? [])
  const isAlone = isOne && exchanges.length > 0
  return [
    isAlone ? numbered(of, of === 'exchange' ? exchanges : exchanges.slice(0, 1)) : of,
    ...(inside ? insideOf(first) : []),
    ...(lines.length > 0 ? [numbered('line', lines)] : []),
    // An edit needs no name, because its diff follows.
    ...(first.kind !== 'edited' && first.place.line === undefined
      ? [first.kind === 'unseen' ? 'nothing that is shown' : first.kind]
      : []),
  ].map((word) => revealOddBlanks(layOutLine(word)))
}

/** `line 3`, `lines 3, 5`. */
function numbered(name: string, numbers: readonly number[]): string {
  return `${name}${numbers.length > 1 ? 's' : ''} ${numbers.join(', ')}`
}

/** The place inside a prompt or an answer, without the number of the message, which differs between cassettes. */
function insideOf({ kind, place }: Change): string[] {
  const words = describePlace({ kind, place: place.inside! } as PromptChange)
  if (place.inside!.area !== 'message') return words
  const [role, ...rest] = words.slice(1)
  return place.of === 'answer' ? rest : [role!.replace(/, was \d+$/, ''), ...rest]
}

/** The changes whose content is shown: that of whole cassettes only if there is one, as the group has that of the first. */
export function shownChanges({ changes, cassettes }: Group): Change[] {
  const isWhole = ({ of, inside }: Change['place']): boolean => of === 'cassette' && !inside
  return changes.filter(
    ({ kind, place }) => kind !== 'renamed' && !(isWhole(place) && cassettes.length > 1),
  )
}

/** `41 cassettes of 9 files`, without the files if there is only one. */
export function describeCassettes(cassettes: readonly CassetteComparison[]): string {
  const files = new Set(cassettes.map(({ name }) => dirname(name))).size
  const count = countOf(cassettes.length, 'cassette')
  return cassettes.length === 1 || files === 1 ? count : `${count} of ${countOf(files, 'file')}`
}

/** Counts the answers to the changed or new prompts of a group that were given to an earlier prompt. */
export function keptIn({ changes, cassettes }: Group): number {
  const keys = new Set(changes.filter(isOfPrompt).map(({ key }) => key))
  const keptOf = ({ changes: all, kept }: CassetteComparison): number => {
    const asked = new Set(
      all.filter(({ key }) => keys.has(key)).map(({ place: { exchange } }) => exchange),
    )
    return kept.filter((number) => asked.has(number)).length
  }
  return cassettes.reduce((sum, one) => sum + keptOf(one), 0)
}

function isOfPrompt({ kind, place: { of, inside } }: Change): boolean {
  return of === 'prompt' || (kind === 'added' && !inside)
}

/** Says how many answers were kept; `undefined` if none was. */
export function describeKept(group: Group): string | undefined {
  const kept = keptIn(group)
  if (kept === 0) return undefined
  const were = kept === 1 ? 'was' : 'were'
  return `${countOf(kept, 'answer')} ${were} kept that ${were} given to another prompt.`
}

export function jsonOfGroup(group: Group): {
  changes: Change[]
  cassettes: string[]
  kept: number
} {
  const { changes, cassettes } = group
  return { changes, cassettes: cassettes.map(nameOf), kept: keptIn(group) }
}

/** The name of a cassette in a list, with its earlier name if it was renamed. */
export function nameOf({ name, was }: CassetteComparison): string {
  return was === undefined ? name : `${was} → ${name}`
}

/** `3 cassettes changed since HEAD: 2 different changes.` */
export function describeAll(
  comparisons: readonly CassetteComparison[],
  groups: readonly Group[],
  base: string,
  unread: number,
): string {
  if (comparisons.length === 0)
    return `No ${unread > 0 ? 'other ' : ''}cassette changed since ${base}.`
  const different = groups.length === 1 ? 'one change' : `${groups.length} different changes`
  return `${describeCassettes(comparisons)} changed since ${base}: ${different}.`
}

/** The usage of the recordings before and now; `undefined` if it is the same. */
export function describeTook(comparisons: readonly CassetteComparison[]): string | undefined {
  const before = sumUsage(comparisons.map(({ took }) => took.before))
  const after = sumUsage(comparisons.map(({ took }) => took.after))
  const [old, current] = [before, after].map((took) => `${tokensText(took)}, ${costText(took)}`)
  return old === current ? undefined : `To record them took ${old}, and now ${current}.`
}
