import { createHash } from 'node:crypto'
import type { StoredExchange } from './stored.ts'

/** The characters of a hash that a file has. */
export const SHORT_HASH = 22

/** The number of the rules by which this release counts the hashes of requests. */
export const RULES = 1

/** Whether the hashes of the requests of a file were counted by the rules of this release. */
export function isCountedHere({ rules }: { rules?: ReadonlyArray<number | string> }): boolean {
  return rules?.length === 1 && rules[0] === RULES
}

/** A sha256 of a text, in base64url without padding. */
export function sha256Base64url(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** The hash of a response: of all that its exchange has of it. It shows an edit, and is no signature. */
export function hashResponse(response: StoredExchange['response']): string {
  return sha256Base64url(JSON.stringify(response)).slice(0, SHORT_HASH)
}
