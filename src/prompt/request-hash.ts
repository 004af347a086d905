import { sha256 } from './sha256.ts'

/** The number of the rules by which this release counts the hashes of requests. */
export const RULES = 1

/** Whether the hashes of the requests of a file were counted by the rules of this release. */
export function isCountedHere({ rules }: { rules?: ReadonlyArray<number | string> }): boolean {
  return rules?.length === 1 && rules[0] === RULES
}

/** The form of the hash of a request. */
const REQUEST_HASH = /^[\w-]{22}$/

/** The first 22 characters of a sha256 in base64url, which are 132 bits. */
export function shortSha256(content: string | Uint8Array): string {
  return sha256(content, 'base64url').slice(0, 22)
}

/** Whether a text has the form of the hash of a request, which that of a question has not. */
export function isRequestHash(text: string): boolean {
  return REQUEST_HASH.test(text)
}
