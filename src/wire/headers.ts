import { remember } from '../remember.ts'
import { isCredentialParameter } from './url.ts'
import type { WireRequest } from './message.ts'

/** Headers by their provider or gateway that change what a model does, how it answers, or who answers. */
export const ASKING: Record<string, Record<string, HeaderReading>> = {
  providers: {
    // Features of an API that are switched on, and its version, which elsewhere stands in the address.
    'anthropic-beta': 'set',
    'anthropic-version': 'text',
    'aoai-evals': 'text',
    'cohere-version': 'text',
    'groq-beta': 'set',
    'openai-beta': 'set',
    // The model.
    'ai-language-model-id': 'text',
    'ai-model-id': 'text',
    'azureml-model-deployment': 'text',
    'groq-model-version': 'text',
    'x-amzn-sagemaker-inference-component': 'text',
    'x-amzn-sagemaker-target-model': 'text',
    'x-amzn-sagemaker-target-variant': 'text',
    'x-ms-oai-image-generation-deployment': 'text',
    // Processing before the model, and guardrails of its answer.
    'extra-parameters': 'text',
    'x-amzn-bedrock-guardrailidentifier': 'text',
    'x-amzn-bedrock-guardrailversion': 'text',
    'x-amzn-bedrock-performanceconfig-latency': 'text',
    'x-amzn-bedrock-service-tier': 'text',
    'x-amzn-bedrock-trace': 'text',
    'x-vertex-ai-llm-request-type': 'text',
    'x-vertex-ai-llm-shared-request-type': 'text',
    // The form of the answer, and the type of a file that is sent.
    'ai-language-model-streaming': 'text',
    prefer: 'lower-case set',
    'x-amzn-bedrock-accept': 'text',
    'x-goog-upload-command': 'lower-case set',
    'x-goog-upload-header-content-type': 'text',
  },
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
  azure: { 'x-ms-model-mesh-model-name': 'text', 'x-policy-id': 'text' },
  'azure speech': { 'x-microsoft-outputformat': 'text' },
  'aws.sagemaker': { 'x-amzn-sagemaker-custom-attributes': 'text' },
  'aws.bedrock': { 'x-amzn-bedrock-content-type': 'formats' },
  cerebras: { 'x-cerebras-version-patch': 'text' },
  cartesia: { 'cartesia-version': 'text' },
  'gcp.gemini': { 'x-goog-api-version': 'text' },
  fal: { 'x-app-fal-disable-fallback': 'text' },
  huggingface: {
    'x-compute-type': 'text',
    'x-load-model': 'text',
    'x-use-cache': 'text',
    'x-wait-for-model': 'text',
  },
  nvidia: { 'nvcf-function-asset-ids': 'set', 'nvcf-input-asset-references': 'set' },
  volcengine: { 'x-api-resource-id': 'text' },
  alibaba_cloud: {
    'x-dashscope-async': 'text',
    'x-dashscope-datainspection': 'text',
    'x-dashscope-sse': 'text',
  },
  cloudflare: {
    'cf-aig-cache-key': 'digest',
    'cf-aig-skip-cache': 'text',
  },
  helicone: {
    'helicone-cache-enabled': 'text',
    'helicone-fallbacks': 'json',
    'helicone-model-override': 'text',
    'helicone-moderations-enabled': 'text',
    'helicone-prompt-id': 'text',
    'helicone-target-provider': 'text',
    'helicone-target-url': 'text',
    'helicone-token-limit-exception-handler': 'text',
  },
  litellm: { 'x-litellm-tags': 'set' },
  portkey: {
    'x-portkey-config': 'json',
    'x-portkey-custom-host': 'text',
    'x-portkey-provider': 'text',
    'x-portkey-strict-open-ai-compliance': 'text',
    // An id at the gateway, and no key; who asks with another one may ask another provider.
    'x-portkey-virtual-key': 'digest',
  },
}

/** Gateways and platforms of which every header counts, by its digest, unless it is one of those beside. */
export const FAMILIES =
  'ai-gateway cf-aig helicone x-ai-eg x-amzn-bedrock x-amzn-sagemaker x-arch x-bf x-bt x-dashscope x-gemini x-higress x-kong x-litellm x-ms-oai x-openrouter x-portkey x-requesty x-tfy x-vertex-ai'

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
  `^(?:${alternatives(READINGS.keys())}|(?!(?:.*[-_])?${alternatives(BESIDE.split(' '))}(?:[-_]|$))(?:${NAMED}|${alternatives(FAMILIES.split(' '))}-[a-z0-9-]+))$`,
)

/** The headers that a dialect reads. */
export const READ_BY_DIALECTS: readonly string[] = [
  'ai-language-model-id',
  'ai-language-model-streaming',
  'ai-model-id',
]

/** A request without its headers, but for those that a dialect reads, which name models. */
export function withoutHeaders({ headers = {}, ...rest }: WireRequest): WireRequest {
  const kept = Object.entries(headers).filter(([name]) => READ_BY_DIALECTS.includes(name))
  return {
    ...rest,
    ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}),
    older: 'headers',
  }
}

const FAMILY = new RegExp(`^${alternatives(FAMILIES.split(' '))}-`)
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

/**
 * How to compare the value of a header: as it stands, as a set of names, as a set in which case does not count, as
 * media types, as JSON without its credentials, as an address, or by its digest.
 */
export type HeaderReading =
  | 'text'
  | 'set'
  | 'lower-case set'
  | 'formats'
  | 'accepted'
  | 'json'
  | 'address'
  | 'digest'

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
function readFormats(value: string): string {
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
}

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

/** Headers that decide how a client treats an answer. */
const DECIDING = [
  'content-type',
  'retry-after',
  'retry-after-ms',
  'x-amzn-bedrock-content-type',
  'x-amzn-errortype',
  'x-goog-upload-chunk-granularity',
  'x-goog-upload-size-received',
  'x-goog-upload-status',
  'x-should-retry',
] as const

/** Headers with an address that a client follows. */
export const LEADING_HEADERS = [
  'azure-asyncoperation',
  'location',
  'operation-location',
  'x-goog-upload-control-url',
  'x-goog-upload-url',
] as const

/** Headers that clients show to their applications, and that differ in every recording of the same answer. */
export const TOLD_HEADERS = [
  'anthropic-ratelimit-input-tokens-limit',
  'anthropic-ratelimit-input-tokens-remaining',
  'anthropic-ratelimit-input-tokens-reset',
  'anthropic-ratelimit-output-tokens-limit',
  'anthropic-ratelimit-output-tokens-remaining',
  'anthropic-ratelimit-output-tokens-reset',
  'anthropic-ratelimit-requests-limit',
  'anthropic-ratelimit-requests-remaining',
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-limit',
  'anthropic-ratelimit-tokens-remaining',
  'anthropic-ratelimit-tokens-reset',
  'apim-request-id',
  'openai-processing-ms',
  'request-id',
  'x-amzn-requestid',
  'x-ratelimit-limit-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'x-request-id',
] as const

/** Response headers that an application can depend on and that never identify an account. */
export const KEPT_HEADERS = [...DECIDING, ...LEADING_HEADERS, ...TOLD_HEADERS] as const
