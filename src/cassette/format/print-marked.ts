import type { Invalidation } from '../../config/why-invalid.ts'
import { hashFile, withFileHash } from './file-hash.ts'
import type { StoredCassette } from './format.ts'
import { printCassette } from './print.ts'

/** Prints a cassette with a mark as invalid, or without one. */
export function printMarked(stored: StoredCassette, invalid: Invalidation | undefined): string {
  const { exchanges, invalid: _, ...head } = stored
  const marked = { ...head, ...(invalid ? { invalid } : {}), exchanges }
  // An edit by hand has to show in the marked file too.
  const isWhole = stored.file_hash === undefined || stored.file_hash === hashFile(stored)
  return printCassette(isWhole ? withFileHash(marked) : marked)
}
