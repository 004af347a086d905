import { oddInSegment, withoutRows } from './is-random.ts'

/** Nobody guesses a value of so many bits from its digest. */
const MIN_BITS = 64

/**
 * True for a value that can be guessed from its digest: words, names, addresses, numbers, dates. Of all other values,
 * only their random parts count.
 */
export function isGuessable(value: string): boolean {
  const bits = withoutRows(value)
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '' && oddInSegment(part) >= part.length * 0.3)
    .reduce((sum, part) => sum + part.length * Math.log2(lettersOf(part)), 0)
  return !(bits >= MIN_BITS)
}

/** How many characters chance could have chosen at each place of a random text. */
function lettersOf(text: string): number {
  if (/^(?:[\da-f]+|[\dA-F]+)$/.test(text)) return 16
  return (
    26 * (Number(/[a-z]/.test(text)) + Number(/[A-Z]/.test(text))) + 10 * Number(/\d/.test(text))
  )
}
