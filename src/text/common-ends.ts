/** A text with its characters, or a list. */
type Sequence = ArrayLike<string>

/** How many items two sequences begin with in common. */
export function commonStart(one: Sequence, other: Sequence): number {
  const most = Math.min(one.length, other.length)
  let count = 0
  while (count < most && one[count] === other[count]) count++
  return count
}

/** How many items two sequences end with in common, after the first `start` of each. */
export function commonEnd(one: Sequence, other: Sequence, start: number): number {
  const most = Math.min(one.length, other.length) - start
  let count = 0
  while (count < most && one[one.length - 1 - count] === other[other.length - 1 - count]) count++
  return count
}
