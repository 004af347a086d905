import { homedir } from 'node:os'
import { join } from 'node:path'
import { existsSync } from '../real/files.ts'

/** The stand-in for a key that is not set. It authenticates nowhere, and explains itself in logs. */
export const STAND_IN_KEY = 'sk-replay-no-network'

/** The variables of one account, with their stand-ins. None is lent if one of them or of `instead` is set. */
interface Account {
  lend: Record<string, string>
  instead?: string[]
  /** Other programs read these variables too: lent only to tests that have a recording. */
  shared?: boolean
}

const ACCOUNTS: Account[] = [
  ...[
    ['AI21_API_KEY'],
    ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN'],
    ['ALIBABA_API_KEY'],
    ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    ['ARK_API_KEY'],
    ['ASSEMBLYAI_API_KEY'],
    ['BASETEN_API_KEY'],
    ['BFL_API_KEY'],
    ['CARTESIA_API_KEY'],
    ['CEREBRAS_API_KEY'],
    ['DEEPINFRA_API_KEY'],
    ['DASHSCOPE_API_KEY'],
    ['DEEPGRAM_API_KEY', 'DEEPGRAM_ACCESS_TOKEN'],
    ['DEEPSEEK_API_KEY'],
    ['ELEVENLABS_API_KEY'],
    ['FIREWORKS_API_KEY'],
    ['GLADIA_API_KEY'],
    ['GROQ_API_KEY'],
    ['HUME_API_KEY'],
    ['LMNT_API_KEY'],
    ['MINIMAX_API_KEY'],
    ['MISTRAL_API_KEY'],
    ['MOONSHOT_API_KEY'],
    ['NVIDIA_API_KEY'],
    ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY'],
    ['OPENROUTER_API_KEY'],
    ['PERPLEXITY_API_KEY'],
    ['PRODIA_TOKEN'],
    ['REPLICATE_API_TOKEN'],
    ['REVAI_API_KEY'],
    ['SAMBANOVA_API_KEY'],
    ['STABILITY_API_KEY'],
    ['VOYAGE_API_KEY'],
    ['WRITER_API_KEY'],
    ['XAI_API_KEY'],
  ].map(([name, ...instead]) => ({ lend: { [name!]: STAND_IN_KEY }, instead })),
  {
    lend: { AZURE_OPENAI_API_KEY: STAND_IN_KEY, AZURE_API_KEY: STAND_IN_KEY },
    instead: ['AZURE_OPENAI_AD_TOKEN'],
  },
  { lend: { COHERE_API_KEY: STAND_IN_KEY, CO_API_KEY: STAND_IN_KEY } },
  { lend: { FAL_KEY: STAND_IN_KEY, FAL_API_KEY: STAND_IN_KEY }, instead: ['FAL_KEY_ID'] },
  {
    lend: {
      HF_TOKEN: STAND_IN_KEY,
      HUGGINGFACE_API_KEY: STAND_IN_KEY,
      HUGGINGFACEHUB_API_KEY: STAND_IN_KEY,
    },
  },
  { lend: { KLINGAI_ACCESS_KEY: STAND_IN_KEY, KLINGAI_SECRET_KEY: STAND_IN_KEY } },
  { lend: { LUMA_API_KEY: STAND_IN_KEY, LUMAAI_API_KEY: STAND_IN_KEY } },
  { lend: { ZAI_API_KEY: STAND_IN_KEY, ZHIPU_API_KEY: STAND_IN_KEY } },
  {
    lend: {
      GOOGLE_API_KEY: STAND_IN_KEY,
      GEMINI_API_KEY: STAND_IN_KEY,
      GOOGLE_GENERATIVE_AI_API_KEY: STAND_IN_KEY,
    },
    instead: ['GOOGLE_GENAI_USE_VERTEXAI'],
  },
  { lend: { TOGETHER_API_KEY: STAND_IN_KEY, TOGETHER_AI_API_KEY: STAND_IN_KEY } },
  {
    lend: {
      AWS_ACCESS_KEY_ID: STAND_IN_KEY,
      AWS_SECRET_ACCESS_KEY: STAND_IN_KEY,
      AWS_BEARER_TOKEN_BEDROCK: STAND_IN_KEY,
    },
    instead: [
      'AWS_PROFILE',
      'AWS_WEB_IDENTITY_TOKEN_FILE',
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
      'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
    ],
    shared: true,
  },
  {
    lend: { AWS_REGION: 'us-east-1' },
    instead: ['AWS_DEFAULT_REGION', 'AWS_PROFILE'],
    shared: true,
  },
]

const accounts = new Map(
  ACCOUNTS.flatMap((account) => Object.keys(account.lend).map((name) => [name, account] as const)),
)

/**
 * The stand-in for a variable that is not set; `undefined` if it has none.
 *
 * @param env the variables that are set
 * @param recorded whether the test that runs has a recording
 */
export function standInKey(
  name: string,
  env: Record<string, string | undefined>,
  recorded: () => boolean,
): string | undefined {
  const account = accounts.get(name)
  if (!account) return undefined
  const { lend, instead = [], shared } = account
  if (Object.keys(lend).some((other) => env[other] !== undefined)) return undefined
  if (instead.some((other) => env[other])) return undefined
  if (shared && (!recorded() || existsSync(join(homedir(), '.aws')))) return undefined
  return lend[name]
}

/** True for a variable that may get a stand-in. */
export function isKeyName(name: PropertyKey): name is string {
  return typeof name === 'string' && accounts.has(name)
}

/**
 * The variables of a process without keys that are empty: CI sets a secret that a run may not read, such as that of a
 * fork, to the empty text.
 */
export function withoutEmptyKeys<Env extends Record<string, string | undefined>>(env: Env): Env {
  const set = Object.entries(env).filter(([name, value]) => value !== '' || !isKeyName(name))
  return Object.fromEntries(set) as Env
}

/** The stand-ins for another program, without those of shared accounts, as its need for them is unknown. */
export function standInKeys(env: Record<string, string | undefined>): Record<string, string> {
  const names = [...accounts].flatMap(([name, { shared }]) => (shared ? [] : [name]))
  const lent = names.map((name) => [name, standInKey(name, env, () => true)] as const)
  return Object.fromEntries(
    lent.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== TWICE),
  )
}

/** @google/genai reads this key under another name too, and warns if it finds both. */
export const TWICE = 'GEMINI_API_KEY'
