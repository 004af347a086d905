import { remember } from '../remember.ts'

/** Query parameters that are a part of the request, and are kept as they are. */
export const READABLE = new Set([
  'after',
  'alt',
  'api-version',
  'before',
  'beta',
  'encoding',
  'include',
  'include[]',
  'limit',
  'max_tokens',
  'model',
  'order',
  'page',
  'page_size',
  'pagesize',
  'purpose',
  'starting_after',
  'stream',
  'task',
  'version',
])

/**
 * A URL as it is stored: without user, fragment and keys.
 *
 * @param keep what stands for the value of a parameter that nobody knows
 */
export function keepUrl(url: URL, keep: (value: string, name: string) => string): string {
  const kept = new URL(url)
  kept.username = kept.password = kept.hash = kept.search = ''
  for (const [name, value] of url.searchParams) {
    if (READABLE.has(name.toLowerCase())) kept.searchParams.append(name, value)
    else if (!isCredentialParameter(name) || isOtherCode(url, name, value))
      kept.searchParams.append(name, keep(value, name))
  }
  return kept.href
}

/** Addresses as they are stored; `undefined` for those with parameters that nobody knows. */
export const keptAsItIs = remember((href): { kept?: string } => {
  let isDigested = false
  const kept = keepUrl(new URL(href), () => String((isDigested = true)))
  return isDigested ? {} : { kept }
})

/** Whether a parameter called `code` is no key of an Azure function and no code of a login: both are long and random. */
function isOtherCode({ hostname }: URL, name: string, value: string): boolean {
  if (name.toLowerCase() !== 'code' || hostname.endsWith('.azurewebsites.net')) return false
  return value.length < 20 || /\s/.test(value)
}

/** An address in the headers of an answer, as it is stored: absolute or relative as it was, without user and keys. */
export function keepLocation(location: string): string {
  const [, address = '', query = '', fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(location) ?? []
  const kept = query
    .split('&')
    .filter((pair) => pair !== '' && !isCredentialParameter(nameOf(pair)))
  const open = address.replace(/^((?:\w+:)?\/\/)[^/]*@/, '$1')
  return `${open}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()].join()
}

/** Words that name a credential, whatever the words before them. */
const ALWAYS =
  'authorization|bearer|credential|credentials|jwt|passphrase|passwd|password|pwd|secret|sig'

/** Words that name a credential alone, or after an opening word: `key` and `api_key`, but not `sort_key`. */
const AMBIGUOUS = 'auth|key|signature|token'

/** Words that make an ambiguous word after them the name of a credential. */
const OPENING =
  'access|account|admin|amz|api|app|application|auth|basic|bearer|client|consumer|csrf|dev|developer|ephemeral|' +
  'function|functions|goog|id|identity|jwt|license|login|master|ms|oauth|personal|private|refresh|sas|secret|' +
  'security|server|service|session|shared|signing|subscription|use|user|x|xsrf'

/**
 * Matches the words of the name of a credential, in lower case and parted by spaces. Both words can be written as one
 * (`apikey`), `AWSAccessKeyId` differs with each key, and `code` alone is that of a login, or the key of an Azure function.
 */
export const CREDENTIAL_WORDS: RegExp = new RegExp(
  `(?:^| )(?:(?:${ALWAYS})|(?:${OPENING})(?:key|secret|token)|(?:${OPENING}) (?:${AMBIGUOUS}|key id))$|^(?:${AMBIGUOUS}|code)$`,
)

/** The parameters of a presigned address, which differ each time. */
export const SIGNED: RegExp =
  /^x-(?:amz|goog)-(?:algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders)$/i

/** True for a query parameter whose value is a credential, judged by the whole words of its name. */
export function isCredentialParameter(name: string): boolean {
  return SIGNED.test(name) || CREDENTIAL_WORDS.test(wordsOf(name))
}

function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
}
