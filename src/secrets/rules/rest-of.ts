import { sha256 } from '../../prompt/sha256.ts'

/** What counts of a text that is replaced as a whole: a digest of the rest, without the secret. */
export function restOf(text: string | Uint8Array): string {
  return `+${sha256(text).slice(0, 12)}`
}
