import type { Invalidation } from '../../config/why-invalid.ts'
import { hashFile, withFileHash } from './file-hash.ts'
import type { StoredCassette } from './format.ts'
import { printCassette } from './print.ts'

/** Prints a cassette with a mark as invalid, or without one. */
export function printMarked(stored: StoredCassette, invalid: Invalidation | undefined): string {
  const { exchanges, invalid: _, ...head } = stored
  return printOther(stored, { ...head, ...(invalid ? { invalid } : {}), exchanges })
}

/** Prints a cassette under the name of another test. */
export function printRenamed(stored: StoredCassette, id: string, schema: string): string {
  const $schema = stored.$schema === undefined ? {} : { $schema: schema }
  return printOther(stored, { ...stored, ...$schema, conversation_id: id })
}

/** Prints a file with another head. */
function printOther(stored: StoredCassette, other: StoredCassette): string {
  // An edit by hand has to show in the other file too.
  const isWhole = stored.file_hash === undefined || stored.file_hash === hashFile(stored)
  return printCassette(isWhole ? withFileHash(other) : other)
}
