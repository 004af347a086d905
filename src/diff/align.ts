import { diffArrays } from 'diff'
import { commonEnd, commonStart } from '../text/common-ends.ts'

/** A stretch of two sequences: the same items in both, or items that stand opposite each other and differ. */
interface Stretch {
  same: boolean
  /** From (inclusive) and to (exclusive). */
  recorded: [from: number, to: number]
  received: [from: number, to: number]
}

/** Bounds the work: sequences further apart than this are one single stretch. */
const MAX_EDITS = 500

/** Aligns two sequences by their longest common subsequence, equal and unequal stretches in turn. */
export function alignSequences(recorded: string[], received: string[]): Stretch[] {
  const start = commonStart(recorded, received)
  const end = commonEnd(recorded, received, start)

  const stretches: Stretch[] = []
  let at: [number, number] = [0, 0]
  function push(same: boolean, fromRecorded: number, fromReceived: number): void {
    if (fromRecorded === 0 && fromReceived === 0) return
    const next: [number, number] = [at[0] + fromRecorded, at[1] + fromReceived]
    stretches.push({ same, recorded: [at[0], next[0]], received: [at[1], next[1]] })
    at = next
  }

  push(true, start, start)
  const middle = alignMiddle(
    recorded.slice(start, recorded.length - end),
    received.slice(start, received.length - end),
  )
  for (const [same, removed, added] of middle) push(same, removed, added)
  push(true, end, end)
  return stretches
}

type Run = [same: boolean, recorded: number, received: number]

function alignMiddle(recorded: string[], received: string[]): Run[] {
  const apart: Run[] = [[false, recorded.length, received.length]]
  if (recorded.length === 0 || received.length === 0) return apart
  const numbers = new Map<string, number>()
  const runs = diffArrays(numberItems(recorded, numbers), numberItems(received, numbers), {
    maxEditLength: MAX_EDITS,
  })
  if (!runs) return apart

  const merged: Run[] = []
  for (const { added, removed, count } of runs) {
    const same = !added && !removed
    const last = merged.at(-1)
    if (!same && last && !last[0]) {
      last[removed ? 1 : 2] += count
    } else {
      merged.push([same, added ? 0 : count, removed ? 0 : count])
    }
  }
  return merged
}

/** Gives equal items one number, so that long items are compared only once. */
function numberItems(items: string[], numbers: Map<string, number>): number[] {
  return items.map((item) => {
    const number = numbers.get(item) ?? numbers.size
    numbers.set(item, number)
    return number
  })
}

/** Two items that stand opposite each other, or one that has no counterpart. */
type OppositePair = [recorded: number | undefined, received: number | undefined]

/** Above this many combinations, items are paired by position. */
const MAX_COMBINATIONS = 4_000

/**
 * Pairs the items of two unequal stretches without crossing, so that the sum of `score` is greatest.
 * A score of 0 keeps two items apart. Removed items come before the added ones they stand beside.
 */
function pairOpposites(
  recordedCount: number,
  receivedCount: number,
  score: (recorded: number, received: number) => number,
): OppositePair[] {
  if (recordedCount * receivedCount > MAX_COMBINATIONS) {
    return pairByPosition(recordedCount, receivedCount, score)
  }
  const scores = table(recordedCount, receivedCount)
  const best = table(recordedCount + 1, receivedCount + 1)
  for (let i = recordedCount - 1; i >= 0; i--) {
    for (let j = receivedCount - 1; j >= 0; j--) {
      scores[i]![j] = score(i, j)
      best[i]![j] = Math.max(
        best[i + 1]![j]!,
        best[i]![j + 1]!,
        scores[i]![j]! > 0 ? scores[i]![j]! + best[i + 1]![j + 1]! : 0,
      )
    }
  }

  const pairs: OppositePair[] = []
  let [i, j] = [0, 0]
  while (i < recordedCount && j < receivedCount) {
    const paired = scores[i]![j]! > 0 ? scores[i]![j]! + best[i + 1]![j + 1]! : -1
    if (paired >= best[i]![j]!) pairs.push([i++, j++])
    else if (best[i + 1]![j]! >= best[i]![j + 1]!) pairs.push([i++, undefined])
    else pairs.push([undefined, j++])
  }
  while (i < recordedCount) pairs.push([i++, undefined])
  while (j < receivedCount) pairs.push([undefined, j++])
  return pairs
}

/** Pairs the items of two stretches: of the same length by position, as most likely edited, others by `score`. */
export function pairEdited(
  recordedCount: number,
  receivedCount: number,
  score: (recorded: number, received: number) => number,
): OppositePair[] {
  return recordedCount === receivedCount
    ? Array.from({ length: recordedCount }, (_, at) => [at, at])
    : pairOpposites(recordedCount, receivedCount, score)
}

function pairByPosition(
  recordedCount: number,
  receivedCount: number,
  score: (recorded: number, received: number) => number,
): OppositePair[] {
  const pairs: OppositePair[] = []
  for (let at = 0; at < Math.max(recordedCount, receivedCount); at++) {
    const [removed, added] = [at < recordedCount, at < receivedCount]
    if (removed && added && score(at, at) > 0) {
      pairs.push([at, at])
      continue
    }
    if (removed) pairs.push([at, undefined])
    if (added) pairs.push([undefined, at])
  }
  return pairs
}

function table(rows: number, columns: number): number[][] {
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0))
}

/** Two items that belong together, or one that was added or removed. */
export interface ItemPair {
  recorded?: number
  received?: number
}

/**
 * Pairs the items of two sequences: those with the same keys, and between them those with the best scores.
 *
 * @param score of two items that differ; `alone` if no other items stand between those with the same keys
 */
export function pairSequences(
  recorded: string[],
  received: string[],
  score: (recorded: number, received: number, alone: boolean) => number,
): ItemPair[] {
  return alignSequences(recorded, received).flatMap(
    ({ same, recorded: old, received: current }) => {
      const [removed, added] = [old[1] - old[0], current[1] - current[0]]
      if (same) return Array.from({ length: removed }, (_, at) => pairOf(at, at))
      const alone = removed === 1 && added === 1
      const opposites = pairOpposites(removed, added, (i, j) =>
        score(old[0] + i, current[0] + j, alone),
      )
      return opposites.map(([i, j]) => pairOf(i, j))

      function pairOf(i: number | undefined, j: number | undefined): ItemPair {
        const pair: ItemPair = {}
        if (i !== undefined) pair.recorded = old[0] + i
        if (j !== undefined) pair.received = current[0] + j
        return pair
      }
    },
  )
}
