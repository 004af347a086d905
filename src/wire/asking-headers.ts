import type { WireRequest } from './message.ts'
import { remember } from '../remember.ts'
import { readSet, readValue, type Reading } from './header-values.ts'

/** The headers that releases up to format 1.2 kept. */
export const SINCE_1_1 = {
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
} as const satisfies Record<string, Reading>

/** Headers by their provider or gateway that change what a model does, how it answers, or who answers. */
export const ASKING: Record<string, Record<string, Reading>> = {
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

const READINGS: ReadonlyMap<string, Reading> = new Map(
  [SINCE_1_1, ...Object.values(ASKING)].flatMap((headers) => Object.entries(headers)),
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

/** The headers that every release kept, and that a dialect reads. */
export const READ_BY_DIALECTS: readonly string[] = [
  'ai-language-model-id',
  'ai-language-model-streaming',
  'ai-model-id',
] satisfies (keyof typeof SINCE_1_1)[]

export const KEPT_BY_1_2: readonly string[] = Object.keys(SINCE_1_1)

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
const readingOf = remember((name): Reading | 'none' => {
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
