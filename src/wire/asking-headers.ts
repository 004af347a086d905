import type { NamedHeaders, WireRequest } from './message.ts'

/** How to compare the value of a header: as it stands, as a set of names, or as a set in which case does not count. */
type Reading = 'text' | 'set' | 'lower-case set'

/**
 * The headers of a request that change what a model does, or how it answers. No other is ever stored, and none of
 * these holds a credential or identifies an account.
 */
const ASKING = {
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

type AskingHeader = keyof typeof ASKING

export const ASKING_HEADERS = Object.keys(ASKING) as AskingHeader[]

/** The headers that every release kept, and that a dialect reads. */
export const READ_BY_DIALECTS: readonly string[] = [
  'ai-language-model-id',
  'ai-language-model-streaming',
  'ai-model-id',
] satisfies AskingHeader[]

const NONE = {}

/** The headers of a request that count; no field if it has none of them. */
export function keepAskingHeaders(headers: NamedHeaders): Pick<WireRequest, 'headers'> {
  let kept: Record<string, string> | undefined
  for (const name of ASKING_HEADERS) {
    const value = headers.get(name)
    if (typeof value !== 'string') continue
    const read = readValue(name, value)
    if (read !== '') (kept ??= {})[name] = read
  }
  return kept ? { headers: kept } : NONE
}

/** Kept headers in the form in which they are compared, each as `name: value`, sorted. */
export function canonicalHeaders(headers: Record<string, string>): string[] {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${readValue(name, value)}`)
    .sort()
}

/** Names in a set mean the same in any order, and if they are repeated. */
function readValue(name: string, value: string): string {
  const reading: Reading | undefined = ASKING[name as AskingHeader]
  if (reading === undefined || reading === 'text') return value
  const text = reading === 'set' ? value : value.toLowerCase()
  const names = text.split(',').map((one) => one.trim())
  return [...new Set(names)].filter(Boolean).sort().join(', ')
}
