import { sha256 } from '../prompt/sha256.ts'

export { idOfPlace } from './format/id-of-place.ts'

/** Hexadecimal, alone or behind the name of the algorithm. */
const HEX = /^(?:sha-?256\s*[-:=_]\s*)?([0-9a-f]{64})$/i

/** The form that browsers and package managers write. */
const BASE64 = /^(?:sha-?256\s*[-:=]\s*)?([\w+/-]{43}=?)$/i

/** The hash of the text of a user, which identifies an exchange that a person wrote. */
export function hashOfText(text: string): string {
  return `sha256-${sha256(text)}`
}

/** A hash in the spelling of this package, from any other spelling; `undefined` for a text that is no sha256. */
export function readHash(spelled: string): string | undefined {
  const hex = HEX.exec(spelled.trim())?.[1]
  if (hex) return `sha256-${hex.toLowerCase()}`
  const base64 = BASE64.exec(spelled.trim())?.[1]
  return base64 && `sha256-${Buffer.from(base64, 'base64url').toString('hex')}`
}
