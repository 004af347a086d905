import { PROVIDERS } from '../catalogue.ts'
import type { HeaderReading } from '../provider.ts'

const providers = Object.entries(PROVIDERS)

/** Headers by their provider or gateway that change what a model does, how it answers, or who answers. */
export const ASKING: Readonly<Record<string, Readonly<Record<string, HeaderReading>>>> = {
  'every API': {
    // The form of the answer, and how to read bytes that are sent: the rate of a recording.
    accept: 'formats',
    'content-type': 'formats',
    'api-version': 'text',
    // Where one address serves many models: KServe, Knative, ingresses.
    host: 'host',
    // Of a socket.
    'sec-websocket-protocol': 'protocols',
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
