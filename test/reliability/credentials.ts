import { fill } from './made-up.ts'
import { NAMED } from './named.ts'
import { PREFIXED } from './prefixed.ts'

/** A made-up credential of a real shape, and the variable in which it would stand. */
export interface Credential {
  issuer: string
  variable: string
  value: string
}

const UUID = '########-####-####-####-############'

/** Issuer, variable, and the pattern of the value; see `fill`. */
const SHAPES: Array<[issuer: string, variable: string, pattern: string]> = [
  ['OpenAI', 'OPENAI_API_KEY', 'sk|-[word 20]T3Bl|bkFJ[word 20]'],
  ['OpenAI project', 'OPENAI_API_KEY', 'sk|-proj-[urlsafe 74]T3Bl|bkFJ[urlsafe 73]a'],
  ['OpenAI short project', 'OPENAI_API_KEY', 'sk|-proj-[word 20]T3Bl|bkFJ[word 20]'],
  ['OpenAI service', 'OPENAI_API_KEY', 'sk|-svcacct-[urlsafe 58]T3Bl|bkFJ[urlsafe 57]a'],
  ['OpenAI admin', 'OPENAI_ADMIN_KEY', 'sk|-admin-[urlsafe 58]T3Bl|bkFJ[urlsafe 57]a'],
  ['OpenAI session', 'OPENAI_SESSION_TOKEN', 'sess|-[word 40]'],
  ['OpenAI realtime', 'OPENAI_CLIENT_SECRET', 'ek|_[hex 32]'],
  ['Anthropic', 'ANTHROPIC_API_KEY', 'sk|-ant-api03-[urlsafe 93]AA'],
  ['Anthropic admin', 'ANTHROPIC_ADMIN_KEY', 'sk|-ant-admin01-[urlsafe 93]AA'],
  ['Anthropic OAuth', 'ANTHROPIC_AUTH_TOKEN', 'sk|-ant-oat01-[urlsafe 93]AA'],
  ['Anthropic refresh', 'ANTHROPIC_REFRESH_TOKEN', 'sk|-ant-ort01-[urlsafe 93]AA'],
  ['Google', 'GEMINI_API_KEY', 'AI|za[urlsafe 34]b'],
  ['Google OAuth', 'GOOGLE_ACCESS_TOKEN', 'ya|29.a0[urlsafe 120]c'],
  ['Google client', 'GOOGLE_CLIENT_SECRET', 'GOC|SPX-[urlsafe 27]d'],
  ['Azure AI', 'AZURE_OPENAI_API_KEY', '[word 52]JQQ|J99[upper 9]AAABACOG[word 4]'],
  ['Hugging Face', 'HF_TOKEN', 'h|f_[letters 34]'],
  ['Groq', 'GROQ_API_KEY', 'gs|k_[word 52]'],
  ['xAI', 'XAI_API_KEY', 'xa|i-[word 80]'],
  ['OpenRouter', 'OPENROUTER_API_KEY', 'sk|-or-v1-[hex 64]'],
  ['Perplexity', 'PERPLEXITY_API_KEY', 'pp|lx-[word 48]'],
  ['Replicate', 'REPLICATE_API_TOKEN', 'r|8_[word 37]'],
  ['Fireworks', 'FIREWORKS_API_KEY', 'f|w_[word 24]'],
  ['DeepSeek', 'DEEPSEEK_API_KEY', 'sk|-[hex 32]'],
  ['Together', 'TOGETHER_API_KEY', 'tg|p_v1_[urlsafe 42]e'],
  ['Cerebras', 'CEREBRAS_API_KEY', 'cs|k-[word 48]'],
  ['Voyage', 'VOYAGE_API_KEY', 'p|a-[urlsafe 42]f'],
  ['NVIDIA', 'NVIDIA_API_KEY', 'nv|api-[urlsafe 63]g'],
  ['Langfuse', 'LANGFUSE_SECRET_KEY', `sk|-lf-${UUID}`],
  ['Langfuse public', 'LANGFUSE_PUBLIC_KEY', `pk|-lf-${UUID}`],
  ['LangSmith', 'LANGSMITH_API_KEY', 'lsv|2_pt_[hex 32]_[hex 10]'],
  ['Bedrock', 'AWS_BEARER_TOKEN_BEDROCK', 'AB|SK[base64 127]A='],
  ['Bedrock short-term', 'AWS_BEARER_TOKEN_BEDROCK', 'bedrock|-api-key-[base64 99]A'],
  ['Vercel gateway', 'AI_GATEWAY_API_KEY', 'vc|k_[word 56]'],
  ['Pinecone', 'PINECONE_API_KEY', 'pc|sk_[word 6]_[word 63]'],
  ['Tavily', 'TAVILY_API_KEY', 'tv|ly-dev-[word 32]'],
  ['ElevenLabs', 'ELEVENLABS_API_KEY', 's|k_[hex 48]'],
  ['AWS access key id', 'AWS_ACCESS_KEY_ID', 'AK|IA[base32 16]'],
  ['AWS temporary id', 'AWS_ACCESS_KEY_ID', 'AS|IA[base32 16]'],
  ['GitHub', 'GITHUB_TOKEN', 'gh|p_[word 36]'],
  ['GitHub fine-grained', 'GITHUB_TOKEN', 'github|_pat_[word 22]_[word 59]'],
  ['GitHub app', 'GITHUB_TOKEN', 'gh|s_[word 36]'],
  ['GitLab', 'GITLAB_TOKEN', 'gl|pat-[urlsafe 19]h'],
  ['npm', 'NPM_TOKEN', 'np|m_[word 36]'],
  ['PyPI', 'PYPI_TOKEN', 'py|pi-AgEIcHlwaS5vcmc[urlsafe 140]i'],
  ['Slack bot', 'SLACK_BOT_TOKEN', 'xo|xb-[digits 12]-[digits 12]-[word 24]'],
  [
    'Slack webhook',
    'SLACK_HOOK_SECRET',
    'https://hooks.slack|.com/services/T[upper 8]/B[upper 8]/[word 24]',
  ],
  ['Stripe', 'STRIPE_SECRET_KEY', 's|k_live_[word 24]'],
  ['SendGrid', 'SENDGRID_API_KEY', 'S|G.[urlsafe 22].[urlsafe 42]j'],
  ['Twilio', 'TWILIO_API_KEY', 'S|K[hex 32]'],
  ['Shopify', 'SHOPIFY_ACCESS_TOKEN', 'shp|at_[hex 32]'],
  [
    'Private key',
    'SIGNING_PRIVATE_KEY',
    '-----BEGIN |PRIVATE KEY-----\n[base64 64]\n[base64 64]\n[base64 60]\n-----END |PRIVATE KEY-----',
  ],
  ['JWT', 'SESSION_TOKEN', 'ey|JhbGciOiJIUzI1NiJ9.ey|JzdWIiOiJ1c2VyLTcifQ.[urlsafe 42]k'],
  ['Postgres', 'DATABASE_PASSWORD', 'postgres|://app:[word 20]@db.internal.acme.io:5432/app'],
  ['Databricks', 'DATABRICKS_TOKEN', 'da|pi[hex 32]'],
  ['Linear', 'LINEAR_API_KEY', 'lin|_api_[word 40]'],
  ['DigitalOcean', 'DIGITALOCEAN_TOKEN', 'do|p_v1_[hex 64]'],
  ['Mistral', 'MISTRAL_API_KEY', '[word 32]'],
  ['Cohere', 'COHERE_API_KEY', '[word 40]'],
  ['Azure OpenAI', 'AZURE_OPENAI_API_KEY', '[hex 32]'],
  ['Together hex', 'TOGETHER_API_KEY', '[hex 64]'],
  ['AWS secret', 'AWS_SECRET_ACCESS_KEY', '[base64 40]'],
  ['AI21', 'AI21_API_KEY', '[word 32]'],
  ['Twilio token', 'TWILIO_AUTH_TOKEN', '[hex 32]'],
  ['UUID', 'INTERNAL_API_KEY', UUID],
  ['Password', 'DB_PASSWORD', '[letters 6]"\\[digits 3]&[letters 5]'],
]

/** 65 credentials, the same in every run: 36 of model providers, 20 of others, 9 without a shape. */
export const credentials: Credential[] = credentialsOf('')

/** The same kinds, with other characters. */
export function credentialsOf(seed: string): Credential[] {
  return SHAPES.map(([issuer, variable, pattern]) => ({
    issuer,
    variable,
    value: fill(pattern, issuer + seed),
  }))
}

/** Texts in which a credential stands that is in no variable: what it is, and the text. */
export function pastedTexts(seed: string): Array<[kind: string, text: string]> {
  return Object.entries({ ...PREFIXED, ...NAMED }).map(([kind, pattern]) => [
    kind,
    fill(pattern, kind + seed),
  ])
}
