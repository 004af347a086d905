import type { Invalidation } from '../../config/option-values.ts'
import { isEdited, printCassette, printSealed, type StoredCassette } from '../format.ts'

/** Prints a cassette with a mark as invalid, or without one. */
export function printMarked(stored: StoredCassette, invalid: Invalidation | undefined): string {
  const { exchanges, timestamp, oldest_answer, rules, hashes, seal, invalid: _, ...head } = stored
  const last = { timestamp, oldest_answer, rules, hashes, seal }
  return printOther(stored, { ...head, ...(invalid ? { invalid } : {}), exchanges, ...last })
}

/** Prints a cassette under the name of another test. */
export function printRenamed(stored: StoredCassette, id: string, schema: string): string {
  const $schema = stored.$schema === undefined ? {} : { $schema: schema }
  return printOther(stored, { ...stored, ...$schema, conversation_id: id })
}

/** Prints a file with another head. */
function printOther(stored: StoredCassette, other: StoredCassette): string {
  // An edit by hand, or of the seal, has to show in the other file too.
  const isWhole = stored.seal !== undefined && !isEdited(stored)
  return isWhole ? printSealed(other) : printCassette(other)
}
