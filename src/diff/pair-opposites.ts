/** Two items that stand opposite each other, or one that has no counterpart. */
export type OppositePair = [recorded: number | undefined, received: number | undefined]

/** Above this many combinations, items are paired by position. */
const MAX_COMBINATIONS = 4_000

/**
 * Pairs the items of two unequal stretches without crossing, so that the sum of `score` is greatest.
 * A score of 0 keeps two items apart. Removed items come before the added ones they stand beside.
 */
export function pairOpposites(
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
