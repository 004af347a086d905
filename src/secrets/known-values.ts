import { STAND_IN_KEY } from '../providers/stand-in-keys.ts'
import { ownEnvironment } from '../real/own-environment.ts'
import { remember, rememberFor } from '../remember.ts'
import { isCredentialParameter } from '../wire/url.ts'
import { toldValues } from './told-values.ts'
import { credentialName, isCredentialName, isPasswordName } from './credential-name.ts'
import type { CredentialPart } from './find/credential-parts.ts'
import { isRandom } from './find/is-random.ts'
import { loadCredentialParts } from './find/load-parts.ts'

/** A credential that is known by its value, and the name for its placeholder. */
export interface KnownValue {
  name: string
  value: string
}

/** A connection string with a password in it. */
const CONNECTION = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s@/]+)@/i

/** A secret address, such as that of a webhook. */
const HOOK = /^https?:\/\/.*\/(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}/

/** Values of variables that have the name of a credential and hold none. */
const HARMLESS =
  /^(?:[\d.,:-]+|true|false|null|undefined|(?:\.{0,2}|~)\/.*|[a-z]:\\.*|https?:\/\/.*)$/is

/** Placeholders for a short password; a prompt can well contain them. */
const PLACEHOLDER =
  /^(?:test|dummy|fake|example|sample|changeme|password|passw0rd|secret|token|x{3,}|none)/i

/** A model, with its version, as people set a key that nobody looks at: it is in each request. */
const MODEL =
  /^(?:[\w.-]+\/)*(?:claude|command|deepseek|gemini|gemma|gpt|grok|llama|mistral|mixtral|o\d|phi|qwen)(?=\D*\d)[-.:]?[\w.:-]+$/i

/**
 * True for a value that no prompt contains by accident. Short words, numbers, paths and addresses are
 * none: replacing them everywhere would wreck prompts. People choose passwords, of words too.
 */
export function isTelling(value: string, name: string = ''): boolean {
  if (value === STAND_IN_KEY || value.length < 8) return false
  if (HARMLESS.test(value)) return CONNECTION.test(value) || HOOK.test(value)
  if (value.length >= 16) return true
  if (PLACEHOLDER.test(value)) return false
  return (/\d/.test(value) && /[a-z]/i.test(value)) || (value.length >= 12 && isPasswordName(name))
}

/** Headers that name a request, and parameters of a signed address that are no secret. */
const NO_CREDENTIAL =
  /idempoten|^x-(?:amz|goog)-(?:algorithm|content-sha256|date|expires|signedheaders)$/i

/** A word, a number, or both where one of them is short: `turbo`, `2025`, `qwen3`, `4o`, `8x7b`. */
const WORD = /^(?:\p{L}+|\d+|\p{L}+\d{1,4}|\d{1,4}\p{L}{0,2}|\d{1,3}x\d{1,3}\p{L}?)$/u

/** True for words, whatever stands between them: `gpt-4o-mini`, `user-profile`, a rule for passwords. */
function readsAsWords(value: string): boolean {
  const pieces = value.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  // Short words are often abbreviations, which chance could have made too.
  return (
    pieces.every((piece) => WORD.test(piece)) &&
    !isRandom(pieces.filter(({ length }) => length > 4).join(' '))
  )
}

/** True for a credential: where the name has another sense too, only what does not read as words. */
export function isSecret(name: string, value: string): boolean {
  if (!isTelling(value, name)) return false
  // Nobody chooses a password of several lines.
  if ((MODEL.test(value) || value.includes('\n')) && readsAsWords(value)) return false
  return credentialName(name) === 'credential' || CONNECTION.test(value) || !readsAsWords(value)
}

/** Names of addresses and connection strings, which can have a password. */
const WITH_PASSWORD = /(UR[IL]S?|DSN|PROXY|CONN(ECTION)?(_?STR(ING)?)?|BROKERS?|REDIS|REGISTRY)$/i

/** Names of several credentials: `OPENAI_API_KEYS`. Only variables have them: `max_tokens` of a request is a number. */
const SEVERAL = /(COOKIE|KEY|PASSWORD|PAT|TOKEN)S$/i

/** True for a variable that may hold a credential. */
export const isKnownName: (name: string) => boolean = remember(
  (name) =>
    // The folders of a shell, which can be called anything.
    !/^(OLD)?PWD$/.test(name) &&
    (isCredentialName(name) || WITH_PASSWORD.test(name) || SEVERAL.test(name)),
)

/** The credentials in each variable. Every request asks for them, and most find the same value. */
const read = new Map<string, { value: string; known: KnownValue[] }>()

/** The names of the variables last asked for, and those of them that may hold a credential. */
let last = { all: '', names: [] as string[] }

/** What was found last: the same list for the same values, so that who asks again can tell. */
let found: readonly KnownValue[] = []

/**
 * The credentials among environment variables, by name, and those that children have told.
 *
 * @param sent credentials of the request: in a variable, they are known by its name
 */
export function knownInEnvironment(
  env: Record<string, string | undefined>,
  sent: readonly KnownValue[] = [],
): readonly KnownValue[] {
  const known: KnownValue[] = []
  const own = ownEnvironment(env)
  for (const name of knownNames(own)) {
    const value = own[name] ?? ''
    if (value === STAND_IN_KEY) continue
    let last = read.get(name)
    if (last?.value !== value)
      read.set(name, (last = { value, known: knownInVariable(name, value.trim()) }))
    if (last.known.length > 0) known.push(...last.known)
    else if (sent.some((one) => one.value === value.trim()))
      known.push({ name, value: value.trim() })
  }
  for (const told of toldValues.flatMap(withParts))
    if (!known.some(({ value }) => value === told.value)) known.push(told)
  const isSame =
    known.length === found.length &&
    known.every(({ name, value }, at) => name === found[at]!.name && value === found[at]!.value)
  return isSame ? found : (found = known)
}

function knownNames(env: Record<string, string | undefined>): readonly string[] {
  const names = Object.keys(env)
  const all = names.join('\n')
  if (last.all !== all) last = { all, names: names.filter(isKnownName).sort() }
  return last.names
}

const withParts: (known: KnownValue) => KnownValue[] = rememberFor((known) => [
  known,
  ...knownInVariable(known.name, known.value).filter(({ value }) => value !== known.value),
])

/** The values without those that can be found again as parts of others: a header cannot hold each line of a key. */
export function withoutParts(known: readonly KnownValue[]): KnownValue[] {
  const parts = new Set<string>()
  return known.filter((one) => {
    if (parts.has(one.value)) return false
    for (const { value } of withParts(one)) parts.add(value)
    return true
  })
}

function knownInVariable(name: string, value: string): KnownValue[] {
  const isNamed = isCredentialName(name) || SEVERAL.test(name)
  const parts = mayHaveParts(value) ? loadCredentialParts().partsOfCredential(value) : []
  const whole = (isNamed || CONNECTION.test(value)) && isSecret(name, value) ? [value] : []
  const inside = parts
    .filter((part) => isSecretPart(part, name) && (isNamed || part.name !== undefined))
    .map((part) => part.value.trim())
  return [...new Set([...whole, ...inside])].map((one) => ({ name, value: one }))
}

/** A value without parts: one word, a path, or an address without a user and a query. */
const WHOLE = /^(?:[a-z]+:\/\/[\w.-]+(?::\d+)?)?[\w.+/~-]*={0,2}$/i

/** Whether a value can have several words or fields, or is a text that base64 has encoded. */
const mayHaveParts = (value: string): boolean =>
  !WHOLE.test(value) ||
  (value.length >= 16 &&
    /^[\t\n\r -~\u00a0-\ufffc]+$/.test(Buffer.from(value, 'base64').toString()))

/** Whether a part is a credential: without a name of its own, it has to look random. */
function isSecretPart({ name, value }: CredentialPart, variable: string): boolean {
  const part = value.trim()
  // Base64 can begin with a slash, as a path does.
  if (name !== undefined && credentialName(name) === 'credential')
    return isTelling(part, name) || (part.length >= 16 && isRandom(part))
  return isTelling(part, variable) && !MODEL.test(part) && !readsAsWords(part)
}

/** The credentials with which a request was sent, by the header or parameter that carried them. */
export function knownInRequest(headers: Iterable<[string, string]>, url: URL): KnownValue[] {
  const sent: KnownValue[] = []
  for (const [header, value] of headers) {
    const name = header.toLowerCase()
    if (name === 'sec-websocket-protocol') sent.push(...knownInProtocols(name, value))
    else if (name === 'cookie') sent.push(...secretsOf(name, cookiesOf(value)))
    else if (credentialName(name) && !NO_CREDENTIAL.test(name))
      sent.push(...secretsOf(name, credentialsOf(value)))
  }
  for (const [parameter, value] of url.searchParams) {
    if (isCredentialParameter(parameter) && !NO_CREDENTIAL.test(parameter))
      sent.push(...secretsOf(parameter.toLowerCase(), [value]))
  }
  return [...sent, ...named('password', [decodeURIComponent(url.password)])]
}

/** `Bearer <token>`, `Basic <base64 of user:password>`, Amazon's `Credential=<id>/…`, or the value itself. */
export function credentialsOf(header: string): string[] {
  const [scheme, rest] = header.split(/\s+(.*)/s)
  if (rest === undefined) return [header]
  if (/^basic$/i.test(scheme!)) {
    const [, password = ''] = Buffer.from(rest, 'base64').toString().split(/:(.*)/s)
    return [rest, password]
  }
  const [, accessKey] = /Credential=([^/,\s]+)/.exec(rest) ?? []
  return accessKey ? [accessKey] : [rest]
}

/** A browser can send no header with a socket, so its key travels as the name of a protocol. */
function knownInProtocols(name: string, protocols: string): KnownValue[] {
  return protocols.split(/,\s*/).flatMap((protocol) => {
    const [, key] = /^.*api-key\.(.+)$/.exec(protocol) ?? []
    return key ? named(name, [key]) : secretsOf(name, [protocol])
  })
}

/** The values of cookies. Most are settings. */
function cookiesOf(header: string): string[] {
  return header.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1))
}

function secretsOf(name: string, values: string[]): KnownValue[] {
  return named(name, values).filter(({ value }) => isSecret(name, value))
}

function named(name: string, values: string[]): KnownValue[] {
  return values
    .map((value) => value.trim())
    .filter((value) => isTelling(value, name))
    .map((value) => ({ name, value }))
}
