import { remember } from '../remember.ts'
import { isCredentialParameter } from '../wire/url.ts'
import type { WireRequest } from '../wire/message.ts'
import { PROVIDERS } from './catalogue.ts'
import type { HeaderReading } from './provider.ts'

const providers = Object.entries(PROVIDERS)

/** Headers by their provider or gateway that change what a model does, how it answers, or who answers. */
export const ASKING: Readonly<Record<string, Readonly<Record<string, HeaderReading>>>> = {
  'every API': {
    // The form of the answer, and how to read bytes that are sent: the rate of a recording.
    accept: 'accepted',
    'content-type': 'formats',
    'api-version': 'text',
    // The operation and the fields of the answer, which elsewhere stand in the address.
    'x-amz-target': 'text',
    'x-goog-fieldmask': 'set',
    'x-http-method-override': 'text',
    'x-api-version': 'text',
  },
  ...Object.fromEntries(
    providers.flatMap(([name, { headers }]) => (headers ? [[name, headers]] : [])),
  ),
}

/** Gateways that are known by nothing else. */
const GATEWAYS = 'x-ai-eg x-arch x-bf x-bt x-higress x-kong x-requesty x-tfy'.split(' ')

/** Gateways and platforms of which every header counts, by its digest, unless it is one of those beside. */
export const FAMILIES: readonly string[] = [
  ...providers.flatMap(([, { families = [] }]) => families),
  ...GATEWAYS,
].sort()

/** How names of headers end that say at any gateway who answers, which version of an API it is, and in which form. */
export const NAMING = {
  who: 'model models provider providers deployment engine fallback fallbacks guardrail guardrails',
  which: 'id name version override alias class variant',
  how: 'api-version output-format response-format routing-strategy routing-policy service-tier endpoint-id endpoint-name',
  where: 'base-url target-url upstream-url backend-url upstream backend endpoint',
}

/** Words in the names of headers that say who asks or pays, for what purpose, from where, or how patiently. */
export const BESIDE =
  'account apikey app arn attempts auth authorization backoff byok call callbacks categories client cost credential credentials creds debug delay device env euid event external identity inference-id key log logging logs metadata o11y omit org organization owner parent password posthog project property protocol ratelimit redaction region request resource retries retry role sec secret session signature span spend tenant timeout title token trace ttl user useragent vk webhook workspace'

const READINGS: ReadonlyMap<string, HeaderReading> = new Map(
  Object.values(ASKING).flatMap((headers) => Object.entries(headers)),
)

const alternatives = (names: Iterable<string>): string => `(?:${[...names].join('|')})`

/** At the end of any name, whose words hyphens or underscores part. */
const ending = (...words: string[]): string =>
  `(?:[a-z0-9]+[-_])*${words.map((some) => alternatives(some.split(' ')).replaceAll('-', '[-_]')).join('')}`
const WHERE = ending(NAMING.where)
const NAMED = `${ending(NAMING.who)}(?:[-_]${alternatives(NAMING.which.split(' '))})?|${ending(NAMING.how)}|${WHERE}`

/**
 * The names of all headers that are stored. None of them holds a credential or identifies an account; where a value
 * could, its digest is stored.
 */
export const ASKING_HEADER: RegExp = new RegExp(
  `^(?:${alternatives(READINGS.keys())}|(?!(?:.*[-_])?${alternatives(BESIDE.split(' '))}(?:[-_]|$))(?:${NAMED}|${alternatives(FAMILIES)}-[a-z0-9-]+))$`,
)

/** The headers that a dialect reads. */
export const READ_BY_DIALECTS: readonly string[] = Object.values(PROVIDERS).flatMap(
  ({ readHeaders = [] }) => readHeaders,
)

/** A request without its headers, but for those that a dialect reads, which name models. */
export function withoutHeaders({ headers = {}, ...rest }: WireRequest): WireRequest {
  const kept = Object.entries(headers).filter(([name]) => READ_BY_DIALECTS.includes(name))
  return {
    ...rest,
    ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}),
    older: 'headers',
  }
}

const FAMILY = new RegExp(`^${alternatives(FAMILIES)}-`)
const ADDRESS = new RegExp(`^${WHERE}$`)

const NONE = {}

/** The headers of a request that count, by their names in lower case; no field if it has none of them. */
export function keepAskingHeaders(
  headers: Iterable<[name: string, value: string]>,
  digest: (value: string) => string,
): Pick<WireRequest, 'headers'> {
  let kept: Record<string, string> | undefined
  for (const [name, value] of headers) {
    const reading = readingOf(name)
    if (reading === 'none') continue
    const read = readValue(reading, value, digest)
    if (read !== '') (kept ??= {})[name] = read
  }
  return kept ? { headers: inOrder(kept) } : NONE
}

/** Tests ask with few names of headers. */
const readingOf = remember((name): HeaderReading | 'none' => {
  if (!ASKING_HEADER.test(name)) return 'none'
  return (
    READINGS.get(name) ?? (FAMILY.test(name) ? 'digest' : ADDRESS.test(name) ? 'address' : 'text')
  )
})

/** In alphabetical order, whatever the order in which they were sent. */
function inOrder(kept: Record<string, string>): Record<string, string> {
  const names = Object.keys(kept)
  return names.length < 2
    ? kept
    : Object.fromEntries(names.sort().map((name) => [name, kept[name]!]))
}

/** Kept headers in the form in which they are compared, each as `name: value`, sorted. */
export function canonicalHeaders(headers: Record<string, string>): string[] {
  return Object.entries(headers)
    .map(([name, value]) => {
      const reading = READINGS.get(name)
      const isSet = reading === 'set' || reading === 'lower-case set'
      return `${name}: ${isSet ? readSet(reading, value) : value}`
    })
    .sort()
}

/** The form of a value in which it is stored and compared; empty if it says nothing. */
function readValue(
  reading: HeaderReading,
  value: string,
  digest: (value: string) => string,
): string {
  switch (reading) {
    case 'text':
      return value
    case 'formats':
      return readFormats(value)
    case 'accepted':
      return readAccepted(value)
    case 'address':
      return readAddress(value) ?? `digest ${digest(value)}`
    case 'json':
      return readJson(value)
    case 'digest':
      return value === '' ? '' : `digest ${digest(value)}`
    default:
      return readSet(reading, value)
  }
}

/** Names in a set mean the same in any order, and if they are repeated. */
function readSet(reading: 'set' | 'lower-case set', value: string): string {
  const text = reading === 'set' ? value : value.toLowerCase()
  const names = text.split(',').map((one) => one.trim())
  return [...new Set(names)].filter(Boolean).sort().join(', ')
}

/** Formats that every client names, or none: JSON, any, plain text, bytes, and forms, whose boundary is random. */
const USUAL =
  /^(?:\*\/\*|multipart\/.*|text\/(?:plain|json)|application\/(?:(?:[\w.-]+\+)?json|octet-stream|x-www-form-urlencoded|x-ndjson|json-?l(?:ines)?))$/

/** Media types with their parameters, without what a client names by default, and how much it likes each. */
const readFormats = remember((value): string => {
  const formats = value.split(',').flatMap((one) => {
    const [type, ...parameters] = one
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    const kept = parameters.filter((part) => part !== '' && !/^(?:q|charset|boundary)=/.test(part))
    const isOwn = /^[\w.+-]+\/[\w.+-]+$/.test(type!) && !USUAL.test(type!)
    return isOwn ? [[type, ...kept.sort()].join(';')] : []
  })
  return [...new Set(formats)].sort().join(', ')
})

/** Formats of which clients take what comes, unless they accept nothing else: other lines, or no JSON. */
const ALONE = /^(?:text\/plain|application\/(?:x-ndjson|json-?l(?:ines)?|.+\+json|json *;.*))$/

function readAccepted(value: string): string {
  const [type, ...others] = value.toLowerCase().split(/ *, */)
  const only = type!.replace(/ *; *(?:q|charset)=[^;]*/g, '').trim()
  return others.length === 0 && ALONE.test(only) ? only : readFormats(value)
}

/** The place that an address names, wherever on this machine it listens, without what authenticates. */
function readAddress(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url?.host) return undefined
  return url.hostname.replace(/^(?:127(?:\.\d+){3}|\[::1\])$/, 'localhost') + url.pathname
}

/** A configuration of a gateway, in which the keys of providers can stand. A text that is no JSON is its id. */
function readJson(value: string): string {
  let config: unknown
  try {
    config = JSON.parse(value)
  } catch {
    return value
  }
  return JSON.stringify(withoutCredentials(config))
}

function withoutCredentials(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCredentials)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => {
      const isSecret = typeof inner === 'string' && isCredentialParameter(name)
      return [name, isSecret ? `<REDACTED:${name}>` : withoutCredentials(inner)]
    })
  return Object.fromEntries(fields)
}
