import { remember } from '../remember.ts'
import { loadBytes } from './query/load-bytes.ts'

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
  kept.username = kept.password = kept.hash = ''
  kept.search = url.search && keepQuery(url, keep)
  return kept.href
}

function keepQuery(url: URL, keep: (value: string, name: string) => string): string {
  const pairs = queryOf(url).flatMap(([name, value]): Array<[string, string]> => {
    if (READABLE.has(name.toLowerCase())) return [[name, value]]
    const isKept = !isCredentialParameter(name) || isOtherCode(name, value)
    return isKept ? [[name, mapSpelled(value, (one) => keep(one, name))]] : []
  })
  return spellQuery(pairs)
}

/** The parameters of a query in their order. */
export function queryOf({ search }: URL): Array<[name: string, value: string]> {
  const pairs = [...new URLSearchParams(search)]
  // In a text that was decoded, this character can stand for any bytes.
  if (!pairs.some((pair) => pair.some((text) => text.includes('\ufffd')))) return pairs
  return loadBytes().pairsOfBytes(search)
}

/** The spelling of parameters, as that of `URLSearchParams`, with the bytes that are no text. */
export function spellQuery(pairs: ReadonlyArray<readonly [name: string, value: string]>): string {
  if (pairs.every((pair) => pair.every((text) => text.isWellFormed())))
    return new URLSearchParams(pairs as Array<[string, string]>).toString()
  return pairs.map(([name, value]) => `${encodeForm(name)}=${encodeForm(value)}`).join('&')
}

/** Maps a value; one with bytes that are no text is given as it is spelled, since hashes know texts alone. */
export function mapSpelled(value: string, map: (value: string) => string): string {
  if (value.isWellFormed()) return map(value)
  const spelled = `\u0000${encodeForm(value)}`
  const mapped = map(spelled)
  return mapped === spelled ? value : mapped
}

function encodeForm(text: string): string {
  return text.isWellFormed()
    ? new URLSearchParams([['', text]]).toString().slice(1)
    : loadBytes().encodeBytes(text)
}

/** Addresses as they are stored; `undefined` for those with parameters that nobody knows. */
export const keptAsItIs = remember((href): { kept?: string } => {
  let isDigested = false
  const kept = keepUrl(new URL(href), () => String((isDigested = true)))
  return isDigested ? {} : { kept }
})

/** Whether a parameter called `code` is no key of an Azure function and no code of a login: both are long and random. */
function isOtherCode(name: string, value: string): boolean {
  return name.toLowerCase() === 'code' && (value.length < 20 || /\s/.test(value))
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
