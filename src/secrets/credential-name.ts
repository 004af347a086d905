import { remember } from '../remember.ts'

function wordSet(list: string): Set<string> {
  return new Set(list.split(' '))
}

/** Words in the names of credentials. */
export const SECRET_WORDS: ReadonlySet<string> = wordSet(
  'apikey auth authorization bearer cookie credential credentials key pass passphrase passwd password pat ' +
    'pwd secret secrets token',
)

/** Last words of names whose values describe a credential, and are none. */
export const WORDS_ABOUT_SECRETS: ReadonlySet<string> = wordSet(
  'algorithm audience count dir enabled endpoint expiry file header host issuer length limit mode name ' +
    'path port prefix provider region server size sock ttl type uri url version',
)

/** Words that name a harmless key or token: `page_token`, `primary key`. */
const HARMLESS = wordSet(
  'bos cache completion continuation cursor dedup eos foreign hash idempotency idempotent input max min ' +
    'next object output pad page pagination partition prev previous primary prompt public publishable ' +
    'published row sort sync unk',
)

/** Words for a password. People choose it, so it can be short; other credentials are random. */
const PASSWORD = wordSet('pass passphrase passwd password pwd pw')

/** Words that make the ambiguous word after them the name of a credential: `api key`, but not `model key`. */
const OPENING = wordSet(
  'access account admin api app application auth basic bearer client consumer csrf deploy encryption ' +
    'functions hmac jwt license login management master oauth personal private refresh root secret security ' +
    'server service session shared signing ssh subscription user xsrf',
)

/** Words that make the key after them one that somebody has issued: `OPENAI_KEY`. */
const ISSUERS = wordSet(
  'anthropic aws azure brave cerebras claude cohere databricks datadog deepgram deepinfra deepseek elevenlabs exa fal ' +
    'firecrawl fireworks gcp gemini github gitlab google groq helicone huggingface jina langfuse langsmith linear ' +
    'litellm mailgun mistral moonshot netlify notion npm nvidia openai openrouter perplexity pinecone portkey qdrant ' +
    'replicate sendgrid sentry serpapi serper slack stripe supabase tavily together twilio vercel voyage weaviate xai',
)

/** Words that name a credential only after a word of `OPENING`. */
const AMBIGUOUS = wordSet('auth cookie key session')

/** Words after the word for a credential that say whose, where or which it is: `DB_PASSWORD_PROD`, `TOKEN_GITHUB`. */
const WHOSE = wordSet(
  'admin anthropic app aws azure backup base base64 blue bot ci client current database db default dev development ' +
    'eu gcp github gitlab google green hex id json live local main master mongo mysql new old openai plain postgres ' +
    'postgresql preview prod production qa raw redis root sandbox server service slack smtp ssh stage staging stripe ' +
    'test testing uat us user value',
)

/** Names without a border between their words: `PHPSESSID`. */
const ENDING = /(?:secret|token|apikey|accesskey|secretkey|sessid)$/

type Kind = 'password' | 'token' | 'harmless' | 'none'

/** True for the name of a variable or header whose value is a credential: `OPENAI_API_KEY`, `x-api-key`. */
export function isCredentialName(name: string): boolean {
  return kindOf(name) !== 'none'
}

/**
 * What the name of a variable, header or parameter says of its value: that it is a credential (`OPENAI_API_KEY`,
 * `DB_PASSWORD`); that it may be one, or something that has to do with one (`MODEL_KEY`, `PASSWORD_POLICY`); or nothing.
 */
export const credentialName: (name: string) => 'credential' | 'perhaps' | undefined = remember(
  (name) => {
    if (!isCredentialName(name)) return undefined
    const words = wordsOf(name).filter((word) => /[a-z]/.test(word))
    while (words.length > 1 && WHOSE.has(words.at(-1)!)) words.pop()
    const [last, before = ''] = words.toReversed()
    if (!isCredentialWord(last!) || HARMLESS.has(before)) return 'perhaps'
    const isOpened = OPENING.has(before) || ISSUERS.has(before) || isCredentialWord(before)
    const isClear = !AMBIGUOUS.has(last!) || isOpened
    return isClear ? 'credential' : 'perhaps'
  },
)

/** True for the name of a password, and of nothing else: `DB_PASSWORD`, but not `PASSWORD_POLICY`. */
export function isPasswordName(name: string): boolean {
  return credentialName(name) === 'credential' && kindOf(name) === 'password'
}

/** Judges a value by its name in a text: some keys and tokens are not secret. */
export function credentialKind(name: string): 'password' | 'token' | undefined {
  const kind = kindOf(name)
  const isAbout = /(?:^|[^a-z])(?:ids?|hash)$|I[dD]s?$|Hash$/.test(name)
  return isAbout || kind === 'harmless' || kind === 'none' ? undefined : kind
}

const kindOf: (name: string) => Kind = remember((name) => kindOfWords(wordsOf(name)))

function kindOfWords(words: string[]): Kind {
  if (WORDS_ABOUT_SECRETS.has(words.at(-1)!)) return 'none'
  // An answer in SDP has one for its call, which soon ends.
  if (words.includes('ice')) return 'harmless'
  if (words.some(isPasswordWord)) return 'password'
  const isSession = words.length > 1 && words.at(-1) === 'session'
  if (!isSession && !words.some(isCredentialWord)) return 'none'
  return words.some((word) => HARMLESS.has(word)) ? 'harmless' : 'token'
}

function isCredentialWord(word: string): boolean {
  return SECRET_WORDS.has(word) || ENDING.test(word) || isPasswordWord(word)
}

function isPasswordWord(word: string): boolean {
  return PASSWORD.has(word) || /passw(?:or[dt]|d)$|passphrase$/.test(word)
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}
