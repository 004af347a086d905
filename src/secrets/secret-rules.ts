/** The shape of a credential: a prefix that its issuer chose, and enough random characters after it. */
export interface SecretRule {
  /** What is shown to the user. */
  name: string
  /** Global, and linear in the length of the text; group 1, where there is one, is the credential. */
  pattern: RegExp
  /** Looks at a match once more; absent where the pattern says all. */
  accept?: (secret: string) => boolean
}

/** Providers that secretlint's preset does not know, or knows in some of their forms only. */
const ISSUERS: ReadonlyArray<readonly [name: string, body: string]> = [
  ['openai', String.raw`sk-(?:proj-|svcacct-|admin-|None-)?[\w-]{16,156}T3BlbkFJ[\w-]{16,156}`],
  ['openai-session', String.raw`sess-[A-Za-z0-9]{40,}`],
  ['openai-client-secret', String.raw`ek_[A-Za-z0-9]{24,}`],
  ['anthropic', String.raw`sk-ant-[a-z]{3,10}\d\d-[\w-]{32,}`],
  // Shared by DeepSeek, Moonshot, DashScope and many gateways that speak OpenAI's format.
  ['sk-key', String.raw`sk[-_](?:helicone-|litellm-)?(?=[A-Za-z]{0,63}\d)[A-Za-z0-9]{32,64}`],
  ['google-api-key', String.raw`AIza[\w-]{35}`],
  ['google-oauth', String.raw`ya29\.[\w-]{40,}`],
  ['google-client-secret', String.raw`GOCSPX-[\w-]{28}`],
  ['azure-ai', String.raw`[A-Za-z0-9]{52}JQQJ9[9DH][A-Za-z0-9]{8,30}`],
  ['bedrock', String.raw`ABSK[A-Za-z0-9+/]{100,}={0,2}`],
  ['bedrock', String.raw`bedrock-api-key-[A-Za-z0-9+/]{40,}={0,2}`],
  ['openrouter', String.raw`sk-or-v1-[0-9a-f]{64}`],
  ['xai', String.raw`xai-[A-Za-z0-9]{70,90}`],
  ['perplexity', String.raw`pplx-[A-Za-z0-9]{40,60}`],
  ['replicate', String.raw`r8_[A-Za-z0-9]{37}`],
  ['fireworks', String.raw`fw_(?=[A-Za-z]{0,63}\d)[A-Za-z0-9]{22,32}`],
  ['together', String.raw`tgp_v1_[\w-]{40,50}`],
  ['cerebras', String.raw`csk-[A-Za-z0-9]{44,52}`],
  ['voyage', String.raw`pa-(?=[A-Za-z_-]{0,45}\d)[\w-]{42,46}`],
  ['nvidia', String.raw`nvapi-[\w-]{60,70}`],
  ['langfuse', String.raw`[sp]k-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`],
  ['langsmith', String.raw`lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}`],
  ['vercel-gateway', String.raw`vck_[A-Za-z0-9]{40,70}`],
  ['pinecone', String.raw`pcsk_[\w-]{60,80}`],
  ['tavily', String.raw`tvly-(?:dev-|prod-)?(?=[A-Za-z]{0,63}\d)[A-Za-z0-9]{28,40}`],
  ['elevenlabs', String.raw`sk_[0-9a-f]{48}`],
  ['digitalocean', String.raw`do[opr]_v1_[0-9a-f]{64}`],
  ['twilio', String.raw`SK[0-9a-f]{32}`],
  ['pypi', String.raw`pypi-AgE[\w-]{50,}`],
  ['stripe', String.raw`[rs]k_(?:live|test)_[A-Za-z0-9]{24,}`],
  ['sendgrid', String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`],
  ['slack', String.raw`xox[abeoprs]-[A-Za-z0-9-]{24,}`],
  ['aws-access-key-id', String.raw`(?:AKIA|ASIA)[A-Z2-7]{16}(?<!EXAMPLE)`],
  ['telegram', String.raw`\d{8,10}:AA[\w-]{33}`],
]

const shaped: SecretRule[] = ISSUERS.map(([name, body]) => ({
  name,
  pattern: new RegExp(String.raw`(?<![A-Za-z0-9])(?:${body})(?![A-Za-z0-9])`, 'g'),
}))

/** `eyJ` opens every JSON object in base64: a header and claims, then the signature. */
export const JWT: RegExp = /(?<![A-Za-z0-9_-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/g

const jwt: SecretRule = {
  name: 'jwt',
  pattern: JWT,
}

const privateKey: SecretRule = {
  name: 'private-key',
  pattern: /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{40,}/g,
}

const VALUE = String.raw`\\*["']?\s{0,2}(?:=>|[:=])\s{0,2}\\*["']?([\w+/!@#$%^&*.-]{14,200}={0,2})`

/** Credentials without a shape, told by the name that stands before them. */
const named: SecretRule[] = [
  String.raw`(?<![A-Za-z])[A-Z][A-Z0-9_]{0,60}_(?:KEY|TOKEN|SECRET|PASSWORD|PASS)${VALUE}`,
  String.raw`(?:[Aa]pi|[Aa]ccess|[Aa]uth|[Cc]lient|[Pp]rivate|[Ss]ecret)[-_ ]?(?:[Kk]ey|[Tt]oken|[Ss]ecret)${VALUE}`,
  String.raw`(?<![A-Za-z])(?:[Ss]ecret|[Pp]assword)${VALUE}`,
].map((pattern) => ({
  name: 'named-credential',
  pattern: new RegExp(pattern, 'g'),
  accept: isRandom,
}))

/** All rules of this package, to be applied beside those of secretlint. */
export const secretRules: readonly SecretRule[] = [...shaped, jwt, privateKey, ...named]

/** True for what no person would write: letters and digits mixed, few of them twice. */
function isRandom(text: string): boolean {
  const letters = text.replaceAll(/[^A-Za-z]/g, '').length
  const digits = text.replaceAll(/\D/g, '').length
  return letters >= 3 && digits >= 2 && new Set(text).size >= Math.min(10, text.length / 2)
}
