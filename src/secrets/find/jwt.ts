import type { TextSpan } from '../../json/text-span.ts'
import { placeholderOf, restOf } from '../placeholder.ts'

/** The beginning of every JSON object in base64, and so of every JWT. */
const START = 'eyJ'

/** A header and claims, then the signature; as long as headers may be, so that no run of megabytes is searched. */
export const JWT: RegExp = /(?<![A-Za-z0-9_-])eyJ[\w-]{8,16000}\.eyJ[\w-]{8,16000}\.[\w-]{16,2000}/g

/** A cheap check: if it is false, there is no token. */
export function mayHoldToken(text: string): boolean {
  return text.includes(START)
}

/** Finds signed tokens, which are replaced wherever they stand. What they claim counts, and who signed it does not. */
export function findTokens(text: string): TextSpan[] {
  if (!mayHoldToken(text)) return []
  return Array.from(text.matchAll(JWT), ({ 0: token, index }) => ({
    start: index,
    end: index + token.length,
    text: placeholderOf('jwt') + restOf(token.slice(0, token.lastIndexOf('.'))),
  }))
}
