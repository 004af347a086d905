import { addressAt, withoutGateway } from './address.ts'

/** The default addresses of programs, by the variable that changes them; `undefined` where programs have no default. */
const BASE_URLS: Record<string, string | undefined> = {
  ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
  AZURE_OPENAI_ENDPOINT: undefined,
  COHERE_BASE_URL: 'https://api.cohere.com',
  // Cohere's own SDKs.
  CO_API_URL: 'https://api.cohere.com',
  COPILOT_API_URL: undefined,
  DEEPSEEK_BASE_URL: 'https://api.deepseek.com',
  GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com',
  GOOGLE_GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com',
  GOOGLE_GENAI_BASE_URL: 'https://generativelanguage.googleapis.com',
  GROQ_BASE_URL: 'https://api.groq.com',
  LITELLM_PROXY_API_BASE: undefined,
  MISTRAL_BASE_URL: 'https://api.mistral.ai',
  OLLAMA_HOST: 'http://127.0.0.1:11434',
  OPENAI_BASE_URL: 'https://api.openai.com/v1',
  // LangChain looks here first.
  OPENAI_API_BASE: 'https://api.openai.com/v1',
  OPENROUTER_BASE_URL: 'https://openrouter.ai/api/v1',
}

/**
 * The variables by which programs find the gateway. Each address also holds the one that the user has set, to which
 * the gateway sends in turn.
 *
 * @param base the gateway, with the token of the attempt
 */
export function baseUrls(env: NodeJS.ProcessEnv, base: string): Record<string, string> {
  const own = { ...env, ...ownBaseUrls(env, base) }
  const found = Object.entries(BASE_URLS).flatMap(([name, usual]) => {
    const meant = upstreamOf(own, name, usual)
    return meant === undefined ? [] : [[name, addressAt(base, meant)] as const]
  })
  return Object.fromEntries(found)
}

/**
 * The variables that {@link baseUrls} has changed, with their earlier values; `undefined` for those that were not set.
 */
export function ownBaseUrls(
  env: NodeJS.ProcessEnv,
  base: string,
): Record<string, string | undefined> {
  const changed = Object.entries(BASE_URLS).filter(([name]) => env[name]?.startsWith(`${base}/`))
  return Object.fromEntries(
    changed.map(([name, usual]) => {
      const meant = withoutGateway(env[name]!, base)
      return [name, meant === usual ? undefined : meant]
    }),
  )
}

/** The hosts of the addresses that programs would use by these variables. */
export function namedHosts(env: NodeJS.ProcessEnv): Set<string> {
  const meant = Object.entries(BASE_URLS).map(([name, usual]) => upstreamOf(env, name, usual))
  return new Set(meant.flatMap((url) => (url === undefined ? [] : new URL(url).host)))
}

/** The address that a program would use. Two variables for one address get the same value. */
function upstreamOf(
  env: NodeJS.ProcessEnv,
  name: string,
  usual: string | undefined,
): string | undefined {
  const names = Object.keys(BASE_URLS)
  const same = usual === undefined ? [] : names.filter((one) => BASE_URLS[one] === usual)
  const given = [name, ...same].map((one) => env[one]?.trim()).find(Boolean)
  if (given === undefined) return usual
  const meant = /^[\w+.-]+:\/\//.test(given) ? given : `http://${given}`
  return URL.canParse(meant) && /^https?:/.test(meant) ? meant : undefined
}
