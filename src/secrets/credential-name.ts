/** Words that say that what is called so opens something. */
const CREDENTIAL = new Set([
  'apikey',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'credentials',
  'key',
  'pass',
  'passphrase',
  'passwd',
  'password',
  'pat',
  'pwd',
  'secret',
  'secrets',
  'token',
])

/** Last words that say that the value is about a credential, and none itself. */
const ABOUT = new Set([
  'algorithm',
  'audience',
  'count',
  'dir',
  'enabled',
  'endpoint',
  'expiry',
  'file',
  'header',
  'host',
  'issuer',
  'length',
  'limit',
  'mode',
  'name',
  'path',
  'port',
  'prefix',
  'provider',
  'region',
  'server',
  'size',
  'sock',
  'ttl',
  'type',
  'uri',
  'url',
  'version',
])

const decided = new Map<string, boolean>()

/** True for the name of a variable or header whose value is a credential: `OPENAI_API_KEY`, `x-api-key`. */
export function isCredentialName(name: string): boolean {
  const known = decided.get(name)
  if (known !== undefined) return known
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const isCredential = words.some((word) => CREDENTIAL.has(word)) && !ABOUT.has(words.at(-1)!)
  decided.set(name, isCredential)
  return isCredential
}
