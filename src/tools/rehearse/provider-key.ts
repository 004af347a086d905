import { isLoopback, providerOf } from '../../providers/providers.ts'
import { CassetteError } from '../../errors.ts'

/** The environment variables with the key of each provider, as its own SDK reads them. */
const VARIABLES: Record<string, readonly string[]> = {
  ai21: ['AI21_API_KEY'],
  alibaba_cloud: ['DASHSCOPE_API_KEY', 'ALIBABA_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  'aws.bedrock': ['AWS_BEARER_TOKEN_BEDROCK'],
  'azure.ai.inference': ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'],
  'azure.ai.openai': ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
  baseten: ['BASETEN_API_KEY'],
  byteplus: ['ARK_API_KEY'],
  cerebras: ['CEREBRAS_API_KEY'],
  cohere: ['CO_API_KEY', 'COHERE_API_KEY'],
  deepinfra: ['DEEPINFRA_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  fireworks_ai: ['FIREWORKS_API_KEY'],
  'gcp.gemini': ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  'gcp.vertex_ai': ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
  github_models: ['GITHUB_TOKEN'],
  groq: ['GROQ_API_KEY'],
  huggingface: ['HF_TOKEN', 'HUGGINGFACE_API_KEY'],
  minimax: ['MINIMAX_API_KEY'],
  mistral_ai: ['MISTRAL_API_KEY'],
  moonshot_ai: ['MOONSHOT_API_KEY'],
  nvidia: ['NVIDIA_API_KEY'],
  ollama: ['OLLAMA_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  perplexity: ['PERPLEXITY_API_KEY'],
  replicate: ['REPLICATE_API_TOKEN'],
  sambanova: ['SAMBANOVA_API_KEY'],
  together_ai: ['TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'],
  vercel_ai_gateway: ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN'],
  writer: ['WRITER_API_KEY'],
  x_ai: ['XAI_API_KEY'],
  z_ai: ['ZAI_API_KEY', 'ZHIPU_API_KEY'],
}

/** Headers other than `Authorization: Bearer`, by provider and by wire format. */
const HEADERS: Record<string, string> = {
  anthropic: 'x-api-key',
  'azure.ai.inference': 'api-key',
  'azure.ai.openai': 'api-key',
  'gcp.gemini': 'x-goog-api-key',
}

/** The variables with the keys of hosts that the user names. */
type OwnKeys = ReadonlyMap<string, string>

/** The headers that authenticate a request, or why it cannot be sent. */
type Credentials = { headers: Record<string, string> } | { why: string }

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Finds the key with which a recorded request is sent again. A cassette can come from anybody, so a key is sent only to
 * its provider and to hosts that the user names.
 */
export function keyFor(
  address: string,
  dialect: string,
  env: Variables,
  own: OwnKeys = new Map(),
): Credentials {
  const url = new URL(address)
  const named = own.get(url.host) ?? own.get(url.hostname)
  const provider = providerOf(url)
  if (named !== undefined) return headerOf(named, [named], provider ?? formOf(dialect), env)
  if (provider === undefined || url.protocol !== 'https:') {
    if (isLoopback(url)) return { headers: {} }
    return {
      why: `the key of ${url.host} is unknown: pass --key ${url.host}=NAME_OF_THE_VARIABLE`,
    }
  }
  const variables = VARIABLES[provider]
  if (!variables)
    return {
      why: `the key of ${provider} is not known: say --key ${url.host}=NAME_OF_THE_VARIABLE`,
    }
  // The chat completions of Google take the key as a bearer token.
  const form = provider === 'gcp.gemini' && dialect.startsWith('openai') ? 'openai' : provider
  return headerOf(provider, variables, form, env)
}

function headerOf(
  name: string,
  variables: readonly string[],
  form: string,
  env: Variables,
): Credentials {
  const key = variables.map((variable) => env[variable]).find(Boolean)
  if (key === undefined)
    return {
      why: `${variables[0]} is not set${name === variables[0] ? '' : `, the key of ${name}`}`,
    }
  const header = HEADERS[form]
  return { headers: header ? { [header]: key } : { authorization: `Bearer ${key}` } }
}

/** The provider whose header a gateway expects: that of its wire format. */
function formOf(dialect: string): string {
  if (dialect.startsWith('anthropic')) return 'anthropic'
  return dialect.startsWith('gemini') ? 'gcp.gemini' : 'openai'
}

/**
 * Reads `--key host=VARIABLE`.
 *
 * @throws CassetteError `invalid-command` for anything else.
 */
export function readOwnKeys(words: readonly string[]): OwnKeys {
  return new Map(
    words.map((word) => {
      const [, host, variable] = /^([^=\s]+)=(\w+)$/.exec(word) ?? []
      if (host !== undefined && variable !== undefined) return [host, variable] as const
      throw new CassetteError(
        'invalid-command',
        '--key takes a host and the variable that has its key, such as --key llm.example.com=LLM_KEY.',
      )
    }),
  )
}
