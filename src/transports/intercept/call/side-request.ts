/**
 * Requests of LLM libraries that are no LLM calls:
 * - `upload`: traces and telemetry
 * - `download`: tokenizers and model files
 * - `metadata`: the metadata service of a cloud
 * - `program`: what an agent program asks its vendor: models, plugins, settings
 * - `sign-in`: the exchange of a key for the token of a cloud
 */
export type SideRequest = 'upload' | 'download' | 'metadata' | 'program' | 'sign-in'

/** The kinds that a host tells. */
type Kind = Exclude<SideRequest, 'sign-in'>

/** Hosts with the kind of what is asked there; documented in docs/side-requests.md. */
const HOSTS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['api.smith.langchain.com', 'upload'],
  ['cloud.langfuse.com', 'upload'],
  ['api.braintrust.dev', 'upload'],
  ['api.traceloop.com', 'upload'],
  ['api.helicone.ai', 'upload'],
  ['otlp.arize.com', 'upload'],
  ['app.phoenix.arize.com', 'upload'],
  ['logfire-us.pydantic.dev', 'upload'],
  ['logfire-eu.pydantic.dev', 'upload'],
  // Claude Code, whose older versions ask the first; Codex, Copilot, Cursor, CrewAI.
  ['statsig.anthropic.com', 'upload'],
  ['http-intake.logs.us5.datadoghq.com', 'upload'],
  ['ab.chatgpt.com', 'upload'],
  ['copilot-telemetry.githubusercontent.com', 'upload'],
  ['collector.github.com', 'upload'],
  ['metrics.cursor.sh', 'upload'],
  ['telemetry.crewai.com', 'upload'],
  // Codex, Claude Code, Copilot, Cursor, opencode.
  ['chatgpt.com', 'program'],
  ['auth.openai.com', 'program'],
  ['claude.ai', 'program'],
  ['downloads.claude.ai', 'program'],
  ['platform.claude.com', 'program'],
  ['default.exp-tas.com', 'program'],
  ['repo42.cursor.sh', 'program'],
  ['marketplace.cursorapi.com', 'program'],
  ['models.dev', 'program'],
  ['models.opencode.ai', 'program'],
  ['tiktoken.pages.dev', 'download'],
  ['openaipublic.blob.core.windows.net', 'download'],
  ['huggingface.co', 'download'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['169.254.170.23', 'metadata'],
  ['[fd00:ec2::254]', 'metadata'],
  ['metadata.google.internal', 'metadata'],
])

/** Likewise, by how a host begins and ends: each request asks these, and the first use of an expression takes long. */
const WILDCARDS: ReadonlyArray<[start: string, end: string, kind: Kind]> = [
  ['', '.api.smith.langchain.com', 'upload'],
  ['', '.cloud.langfuse.com', 'upload'],
  ['telemetry.', '.githubcopilot.com', 'upload'],
]

/**
 * Side requests at hosts that others ask too: the telemetry of the Gemini CLI, the prices of LiteLLM and aider, and what
 * Claude Code asks beside the model, whose own paths begin with `/v1/`.
 */
const AT_OTHERS: Array<[host: string, path: RegExp, kind: Kind]> = [
  ['api.anthropic.com', /^\/api\/(?:event_logging\/|claude_code\/metrics$)/, 'upload'],
  ['api.anthropic.com', /^\/api\//, 'program'],
  ['storage.googleapis.com', /^\/claude-code-dist-/, 'program'],
  ['raw.githubusercontent.com', /^\/anthropics\/claude-code\//, 'program'],
  ['play.googleapis.com', /^\/log$/, 'upload'],
  ['raw.githubusercontent.com', /^\/BerriAI\/litellm\//i, 'download'],
]

/** Where Codex asks its model for those who signed in with ChatGPT. */
const CODEX_PATH = /^\/backend-api\/codex\/responses(?:\/|$)/

/**
 * Whether a client of Hugging Face asks which provider serves a model, and under which name. What it asks next stands in
 * the answer, so this is a part of the call.
 */
export function asksForProvider({ hostname, pathname, search }: URL): boolean {
  return (
    search.includes('inferenceProviderMapping') &&
    pathname.startsWith('/api/models/') &&
    /^huggingface\.co\.?$/i.test(hostname)
  )
}

/** Where @openai/agents uploads its traces, on the host of the model itself. */
const TRACE_PATH = '/v1/traces/ingest'

/** The kind of a side request; `undefined` for all other requests. */
export function sideRequestOf(url: URL): SideRequest | undefined {
  const { hostname, pathname } = url
  if (pathname.endsWith(TRACE_PATH)) return 'upload'
  if (isSignIn(url)) return 'sign-in'
  const host = spelled(hostname)
  if (host === 'chatgpt.com' && CODEX_PATH.test(pathname)) return undefined
  if (asksForProvider(url)) return undefined
  const atOther = AT_OTHERS.find(([name, path]) => host === name && path.test(pathname))
  const isAmong = ([start, end]: readonly string[]): boolean =>
    host.startsWith(start!) && host.endsWith(end!)
  return atOther?.[2] ?? HOSTS.get(host) ?? WILDCARDS.find(isAmong)?.[2]
}

/** A host in lower case, without the final dot of the DNS root. */
function spelled(hostname: string): string {
  const host = hostname.toLowerCase()
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** Where clouds exchange a key for a token: hosts and paths, as regular expressions. */
const TOKEN_PLACES: ReadonlyArray<[host: RegExp, path: RegExp]> = [
  [/^oauth2(?:\.mtls)?\.googleapis\.com$/, /^\/token$/],
  [/^(?:www\.googleapis|accounts\.google)\.com$/, /^\/(?:o\/)?oauth2\/(?:v\d\/)?token$/],
  [/^sts(?:\..+)?\.googleapis\.com$/, /^\/v1\/(?:oauth)?token$/],
  [/^iamcredentials(?:\..+)?\.googleapis\.com$/, /:generate(?:Access|Id)Token$/],
  [/^(?:.+\.)?iam\.cloud\.ibm\.com$/, /^\/(?:identity|oidc)\/token$/],
  [/^.+\.(?:cloud\.databricks\.com|azuredatabricks\.net)$/, /^\/oidc\/(?:.+\/)?v1\/token$/],
  [/^.+\.authentication\..+\.hana\.ondemand\.com$/, /^\/oauth\/token$/],
  [/^oidc\..+\.amazonaws\.com$/, /^\/token$/],
]

const ENTRA =
  /^(?:[\w-]+\.)?login\.(?:microsoftonline\.com|microsoftonline\.us|partner\.microsoftonline\.cn|microsoft\.com|windows\.net|chinacloudapi\.cn)$|^sts\.windows\.net$/

/** The requests about a tenant that MSAL sends before it requests a token. */
const ENTRA_PATH =
  /\/oauth2\/(?:v2\.0\/)?token$|\/discovery\/instance$|\/\.well-known\/openid-configuration$/

/** How all of these paths end. */
const SIGN_IN_ENDINGS = ['oken', '/discovery/instance', '/.well-known/openid-configuration']

/** Whether a request signs in to a cloud, for a token with which a model is asked. */
function isSignIn({ hostname, pathname }: URL): boolean {
  if (!SIGN_IN_ENDINGS.some((ending) => pathname.endsWith(ending))) return false
  const host = spelled(hostname)
  if (ENTRA.test(host)) return ENTRA_PATH.test(pathname)
  return TOKEN_PLACES.some(([hosts, paths]) => hosts.test(host) && paths.test(pathname))
}
