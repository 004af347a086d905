import { sha256 } from '../prompt/sha256.ts'

/** A placeholder in a text, with its name. */
export const PLACEHOLDER = /<REDACTED:(\w+)>/g

/** The placeholder for a value that is never stored. */
export function placeholderOf(name: string): string {
  return `<REDACTED:${name}>`
}

/** What counts of a text that is replaced as a whole: a digest of the rest, without the secret. */
export function restOf(text: string | Uint8Array): string {
  return `+${sha256(text).slice(0, 12)}`
}
