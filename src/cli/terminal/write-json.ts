import { spellUnseen } from '../../cassette/format/print.ts'

/** A value as JSON that no terminal and no CI runner obeys. */
export function writeJson(value: unknown): string {
  // Two hashes open commands of GitHub and others, wherever they stand.
  return spellUnseen(JSON.stringify(value, null, 2)).replaceAll('##', '#\\u0023')
}
