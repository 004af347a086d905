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

/**
 * The parts in which two texts differ, made longer to whole units, such as words or lines.
 *
 * @param isInside whether a character belongs to a unit, and does not end it
 */
export function differingParts(
  one: string,
  other: string,
  isInside: (character: string) => boolean,
): [one: string, other: string] {
  let start = commonStart(one, other)
  while (start > 0 && isInside(one[start - 1]!)) start--
  let end = commonEnd(one, other, start)
  while (end > 0 && isInside(one.at(-end)!)) end--
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)]
}
