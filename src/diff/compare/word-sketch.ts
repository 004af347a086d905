/** The words of a text as a set of hashes, thinned out for texts with many different words. */
export interface WordSketch {
  hashes: Set<number>
  /** Only hashes without these bits were kept: texts are sampled by content, not by position. */
  mask: number
}

/** Up to this many different words are kept whole; with more, half of them go. */
const MAX_WORDS = 1_024

/** Reads the words of texts in one pass over their characters. */
export function sketchWords(texts: string[]): WordSketch {
  let mask = 0
  const hashes = new Set<number>()
  for (const text of texts) {
    let hash = 0
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      const wordUnit = isWordUnit(unit)
      if (wordUnit) hash = Math.imul(hash ^ unit, 0x01000193) + 0x9e3779b9
      // In scripts that do not separate words, each character is a word.
      if (hash === 0 || (wordUnit && unit < 0x2e80)) continue
      addHash(hash)
      hash = 0
    }
    if (hash !== 0) addHash(hash)
  }
  return { hashes, mask }

  function addHash(hash: number): void {
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0
    const spread = (mixed ^ (mixed >>> 13)) >>> 0
    if ((spread & mask) !== 0) return
    hashes.add(spread)
    while (hashes.size > MAX_WORDS) {
      mask = mask * 2 + 1
      for (const one of hashes) if ((one & mask) !== 0) hashes.delete(one)
    }
  }
}

/** The share of words that two sketches have in common, 0 to 1. */
export function compareSketches(one: WordSketch, other: WordSketch): number {
  const mask = Math.max(one.mask, other.mask)
  let [ofOne, ofOther, shared] = [0, 0, 0]
  for (const hash of one.hashes) {
    if ((hash & mask) !== 0) continue
    ofOne++
    if (other.hashes.has(hash)) shared++
  }
  for (const hash of other.hashes) if ((hash & mask) === 0) ofOther++
  const all = ofOne + ofOther - shared
  return all === 0 ? 1 : shared / all
}

/** The share of words that two texts have in common, 0 to 1. */
export function textSimilarity(one: string, other: string): number {
  return compareSketches(sketchWords([one]), sketchWords([other]))
}

function isWordUnit(unit: number): boolean {
  if (unit < 48) return false
  if (unit < 58) return true
  if (unit < 65) return false
  if (unit < 91 || unit > 127) return true
  return unit > 96 && unit < 123
}
