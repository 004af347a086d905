import type { Invalidation } from '../config/why-invalid.ts'
import type { StoredCassette } from './format.ts'
import { printCassette } from './print.ts'

/** Prints a cassette with a mark as invalid, or without one. */
export function printMarked(stored: StoredCassette, invalid: Invalidation | undefined): string {
  const { exchanges, invalid: _, ...head } = stored
  return printCassette({ ...head, ...(invalid ? { invalid } : {}), exchanges })
}
