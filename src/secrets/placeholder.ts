import { sha256 } from '../prompt/sha256.ts'
import type { Body } from '../wire/body.ts'
import { replaceTexts } from '../wire/replace-texts.ts'

/** A placeholder in a text, with its name. */
export const PLACEHOLDER = /<REDACTED:(\w+)>/g

/** The placeholder for a value that is never stored. */
export function placeholderOf(name: string): string {
  return `<REDACTED:${name}>`
}

/** A placeholder with what counts beside it. */
const WITH_REST = /(?<=<REDACTED:\w+>)\+[0-9a-f]{12}/g

/** A body as releases before format 1.3 kept it: nothing counted beside a secret. */
export function withoutRest(body: Body): Body {
  return replaceTexts(body, (text) =>
    Array.from(text.matchAll(WITH_REST), ({ 0: rest, index: start }) => ({
      start,
      end: start + rest.length,
      text: '',
    })),
  )
}

/** What counts of a text that is replaced as a whole: a digest of the rest, without the secret. */
export function restOf(text: string | Uint8Array): string {
  return `+${sha256(text).slice(0, 12)}`
}
