/** The most characters of a piece to compare: longer pieces are no rarer. */
const MAX_LENGTH = 12

/** The number of pairs of characters that the table tells apart. */
const PAIRS = 4_096

/**
 * Makes a test whether a text contains one of several pieces. Like Boyer and Moore for many pieces at once (Wu and
 * Manber): it looks at one pair of characters in a window, and moves on by as much as the pair allows.
 */
export function holdsAnyOf(pieces: readonly string[]): (text: string) => boolean {
  const width = Math.min(MAX_LENGTH, ...pieces.map(({ length }) => length))
  // The algorithm needs a pair of characters.
  if (width < 2) return (text) => pieces.some((piece) => text.includes(piece))
  const beginnings = new Set(pieces.map((piece) => piece.slice(0, width)))
  const steps = new Uint8Array(PAIRS).fill(width - 1)
  for (const beginning of beginnings) {
    for (let at = 1; at < width; at++) {
      const pair = pairAt(beginning, at)
      steps[pair] = Math.min(steps[pair]!, width - 1 - at)
    }
  }
  return (text) => {
    for (let at = width - 1; at < text.length;) {
      const step = steps[pairAt(text, at)]!
      if (step > 0) at += step
      else if (beginnings.has(text.slice(at + 1 - width, at + 1))) return true
      else at++
    }
    return false
  }
}

/** A number for the character at a place and the one before it. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) << 6) ^ text.charCodeAt(at)) & (PAIRS - 1)
}
