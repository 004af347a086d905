import { STAND_IN_KEY } from '../../config/stand-in-keys.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { remember } from '../../remember.ts'
import { isCredentialName } from '../../secrets/credential-name.ts'
import { keepUrl } from '../../wire/url.ts'

/** Shorter values are words that a variable has by chance. */
const MIN_LENGTH = 8

/** The address of a request as it is stored and compared. */
export const keptUrl: (url: string) => string = remember((url) => keepUrl(new URL(url), digestOf))

/** Stands for a value that is compared, and not stored. */
export function digestOf(value: string): string {
  return isOwn(value) ? 'REDACTED' : sha256(value).slice(0, 12)
}

/** True for a credential of this machine, whatever the name of the parameter: other machines have another value. */
function isOwn(value: string): boolean {
  if (value === STAND_IN_KEY) return true
  return (
    value.length >= MIN_LENGTH &&
    Object.keys(process.env).some((name) => isCredentialName(name) && process.env[name] === value)
  )
}
