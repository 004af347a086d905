import { spellUnseen } from '../../cassette/format.ts'

/** A value as JSON, without sequences that a terminal or a CI runner would obey. */
export function printableJson(value: unknown): string {
  // Two hashes begin commands of GitHub and others, at any place of a line.
  return spellUnseen(JSON.stringify(value, null, 2)).replaceAll('##', '#\\u0023')
}
