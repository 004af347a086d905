/** The number of characters of a hash that a file stores. */
export const SHORT_HASH = 22

/** A sha256 in base64url, as a whole or as a file stores it. */
const REQUEST_HASH = /^[\w-]{22}(?:[\w-]{21})?$/

/** The part of a hash that a file stores. */
export function shortHash(hash: string): string {
  return hash.slice(0, SHORT_HASH)
}

/** Whether a text has the form of the hash of a request, which that of a question has not. */
export function isRequestHash(text: string): boolean {
  return REQUEST_HASH.test(text)
}

/** Whether a stored hash, which may be short, is a counted one. */
export function isHashOf(stored: string | undefined, hash: string): boolean {
  return stored !== undefined && shortHash(stored) === shortHash(hash)
}
