import { diffArrays } from 'diff'
import { commonEnd, commonStart } from '../text/common-ends.ts'

/** A stretch of two sequences: the same items in both, or items that stand opposite each other and differ. */
export interface Stretch {
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
