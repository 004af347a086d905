import { sha256 } from '../prompt/sha256.ts'
import type { Mutant } from './mutant.ts'

/** A sample of the mutants of a test, in order. The same seed gives the same sample. */
export function sample(mutants: readonly Mutant[], most: number, seed: string): Mutant[] {
  if (mutants.length <= most) return [...mutants]
  const drawn = mutants.toSorted((one, other) => (keyOf(one, seed) < keyOf(other, seed) ? -1 : 1))
  const chosen = new Set(drawn.slice(0, most))
  return mutants.filter((mutant) => chosen.has(mutant))
}

function keyOf({ exchange, what }: Mutant, seed: string): string {
  return sha256(`${seed}\n${exchange}\n${what}`)
}
