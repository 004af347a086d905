/** The most names to return: a person reads no more. */
const MAX_NAMES = 5

/**
 * The names that are most like one that was not found, the closest first.
 *
 * @param least how alike they have to be, from 0 to 1
 */
export function closestTo(name: string, names: readonly string[], least: number = 0): string[] {
  return names
    .map((known) => ({ known, score: likeness(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ score }) => score >= least)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_NAMES)
    .map(({ known }) => known)
}

/** The share of pairs of letters that both have. */
function likeness(one: string, other: string): number {
  const [pairs, others] = [pairsOf(one), pairsOf(other)]
  const shared = [...pairs].filter((pair) => others.has(pair)).length
  return (2 * shared) / (pairs.size + others.size || 1)
}

function pairsOf(text: string): Set<string> {
  return new Set(
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)),
  )
}
