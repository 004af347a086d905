import { spellUnseen } from '../../cassette/format.ts'
import type { Terminal } from './command.ts'

/** A value as JSON, without sequences that a terminal or a CI runner would obey. */
export function printableJson(value: unknown): string {
  // Two hashes begin commands of GitHub and others, at any place of a line.
  return spellUnseen(JSON.stringify(value, null, 2)).replaceAll('##', '#\\u0023')
}

/** Writes what a command has found as JSON. */
export function printJson(value: unknown, { write }: Terminal): void {
  write(`${printableJson(value)}\n`)
}
