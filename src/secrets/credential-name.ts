/** Words in the names of credentials. */
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

/** Last words of names whose values describe a credential, and are none. */
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

/** Words that name a harmless key or token: `page_token`, `primary key`. */
const HARMLESS = new Set([
  'bos',
  'cache',
  'completion',
  'continuation',
  'cursor',
  'dedup',
  'eos',
  'foreign',
  'hash',
  'idempotency',
  'idempotent',
  'input',
  'max',
  'min',
  'next',
  'object',
  'output',
  'pad',
  'page',
  'pagination',
  'partition',
  'prev',
  'previous',
  'primary',
  'prompt',
  'public',
  'publishable',
  'published',
  'row',
  'sort',
  'sync',
  'unk',
])

/** Words for a password. People choose it, so it can be short; other credentials are random. */
const PASSWORD = new Set(['pass', 'passphrase', 'passwd', 'password', 'pwd', 'pw'])

/** Names without a border between their words: `PHPSESSID`. */
const ENDING = /(?:secret|token|apikey|accesskey|secretkey|sessid)$/

/** More names are rare in one process; then the memory begins anew. */
const MAX_REMEMBERED = 5_000

const decided = new Map<string, 'password' | 'token' | 'harmless' | undefined>()

/** True for the name of a variable or header whose value is a credential: `OPENAI_API_KEY`, `x-api-key`. */
export function isCredentialName(name: string): boolean {
  return kindOf(name) !== undefined
}

/** Judges a value by its name in a text: some keys and tokens are not secret. */
export function credentialKind(name: string): 'password' | 'token' | undefined {
  const kind = kindOf(name)
  return kind === 'harmless' || /(?:^|[^a-z])(?:ids?|hash)$|I[dD]s?$|Hash$/.test(name)
    ? undefined
    : kind
}

function kindOf(name: string): 'password' | 'token' | 'harmless' | undefined {
  if (decided.has(name)) return decided.get(name)
  if (decided.size >= MAX_REMEMBERED) decided.clear()
  const kind = kindOfWords(wordsOf(name))
  decided.set(name, kind)
  return kind
}

function kindOfWords(words: string[]): 'password' | 'token' | 'harmless' | undefined {
  if (ABOUT.has(words.at(-1)!)) return undefined
  if (words.some((word) => PASSWORD.has(word) || /passw(?:or[dt]|d)$|passphrase$/.test(word)))
    return 'password'
  const isSession = words.length > 1 && words.at(-1) === 'session'
  if (!isSession && !words.some((word) => CREDENTIAL.has(word) || ENDING.test(word)))
    return undefined
  return words.some((word) => HARMLESS.has(word)) ? 'harmless' : 'token'
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}
