/** What is known of a provider, whatever wire format it speaks. */
interface Provider {
  /** Its hosts; `*` stands for any characters. Each counts, but for those that are `equal`. */
  hosts: readonly string[]
  /** Why its hosts are equal: the same model answers at each, and developers and CI have another region or account. */
  equal?: string
  /** The hosts that count nevertheless: each is one model, or one project. */
  but?: RegExp
  /** The variables with its key, as its own SDK reads them. */
  keys?: readonly [string, ...string[]]
  /** The header of its key, where that is not `Authorization: Bearer`. */
  keyHeader?: string
  /** The variables with which programs are led elsewhere; first that of its own SDK. */
  baseUrls?: readonly string[]
  /** Where programs ask without such a variable. */
  address?: string
}

const REGION = 'regions of one service; the body or the path names the model'
const RENAMED = 'an old and a new name of one service'

/** All providers, by OpenTelemetry's name where it has one. A new one is a row here, and a folder if its format is new. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  ai21: { hosts: ['api.ai21.com'], keys: ['AI21_API_KEY'] },
  alibaba_cloud: {
    hosts: ['dashscope.aliyuncs.com', 'dashscope-*.aliyuncs.com'],
    equal: REGION,
    keys: ['DASHSCOPE_API_KEY', 'ALIBABA_API_KEY'],
  },
  anthropic: {
    hosts: ['api.anthropic.com'],
    keys: ['ANTHROPIC_API_KEY'],
    keyHeader: 'x-api-key',
    baseUrls: ['ANTHROPIC_BASE_URL'],
    address: 'https://api.anthropic.com',
  },
  assemblyai: { hosts: ['api.assemblyai.com', '*.assemblyai.com'] },
  'aws.bedrock': {
    hosts: [
      'bedrock-runtime.*.amazonaws.com',
      'bedrock-runtime-fips.*.amazonaws.com',
      'bedrock-runtime.*.amazonaws.com.cn',
      'bedrock-agent-runtime.*.amazonaws.com',
      'bedrock-runtime.*.api.aws',
      'bedrock-mantle.*.api.aws',
      '*.bedrock-runtime.*.vpce.amazonaws.com',
    ],
    equal: REGION,
    keys: ['AWS_BEARER_TOKEN_BEDROCK'],
  },
  'aws.sagemaker': {
    hosts: [
      'runtime.sagemaker.*.amazonaws.com',
      'runtime.sagemaker.*.amazonaws.com.cn',
      'runtime-fips.sagemaker.*.amazonaws.com',
      'runtime.sagemaker-fips.*.amazonaws.com',
    ],
    equal: REGION,
  },
  'azure.ai.inference': {
    hosts: ['*.services.ai.azure.com', '*.models.ai.azure.com'],
    keys: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'],
    keyHeader: 'api-key',
  },
  'azure.ai.openai': {
    hosts: ['*.openai.azure.com', '*.openai.azure.us', '*.cognitiveservices.azure.com'],
    equal: 'accounts of one service; the path or the body names the deployment',
    keys: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    keyHeader: 'api-key',
    baseUrls: ['AZURE_OPENAI_ENDPOINT'],
  },
  baseten: {
    hosts: ['inference.baseten.co', '*.api.baseten.co'],
    equal: 'one host for all models of its own',
    but: /\.api\.baseten\.co$/,
    keys: ['BASETEN_API_KEY'],
  },
  black_forest_labs: { hosts: ['api.bfl.ai', 'api.bfl.ml', 'api.*.bfl.ai'], equal: REGION },
  byteplus: {
    hosts: ['ark.*.bytepluses.com', 'ark.*.volces.com'],
    equal: REGION,
    keys: ['ARK_API_KEY'],
  },
  cerebras: { hosts: ['api.cerebras.ai'], keys: ['CEREBRAS_API_KEY'] },
  cloudflare: { hosts: ['gateway.ai.cloudflare.com'] },
  cohere: {
    hosts: ['api.cohere.com', 'api.cohere.ai'],
    equal: RENAMED,
    keys: ['CO_API_KEY', 'COHERE_API_KEY'],
    baseUrls: ['CO_API_URL', 'COHERE_BASE_URL'],
    address: 'https://api.cohere.com',
  },
  deepinfra: { hosts: ['api.deepinfra.com'], keys: ['DEEPINFRA_API_KEY'] },
  deepseek: {
    hosts: ['api.deepseek.com'],
    keys: ['DEEPSEEK_API_KEY'],
    baseUrls: ['DEEPSEEK_BASE_URL'],
    address: 'https://api.deepseek.com',
  },
  deepgram: { hosts: ['api.deepgram.com', 'api.*.deepgram.com', 'agent.deepgram.com'] },
  elevenlabs: { hosts: ['api.elevenlabs.io', 'api.*.elevenlabs.io'], equal: REGION },
  fal: { hosts: ['fal.run', '*.fal.run', 'rest.fal.ai', 'rest.*.fal.ai'] },
  fireworks_ai: { hosts: ['api.fireworks.ai'], keys: ['FIREWORKS_API_KEY'] },
  'gcp.gemini': {
    hosts: ['generativelanguage.googleapis.com'],
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    keyHeader: 'x-goog-api-key',
    baseUrls: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_BASE_URL', 'GOOGLE_GENAI_BASE_URL'],
    address: 'https://generativelanguage.googleapis.com',
  },
  'gcp.vertex_ai': {
    hosts: [
      'aiplatform.googleapis.com',
      '*-aiplatform.googleapis.com',
      'aiplatform.*.rep.googleapis.com',
    ],
    equal: REGION,
    keys: ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
  },
  github_copilot: {
    hosts: ['api.githubcopilot.com', 'api.*.githubcopilot.com'],
    equal: 'plans of one service',
    baseUrls: ['COPILOT_API_URL'],
  },
  github_models: {
    hosts: ['models.github.ai', 'models.inference.ai.azure.com'],
    equal: RENAMED,
    keys: ['GITHUB_TOKEN'],
  },
  gladia: { hosts: ['api.gladia.io'] },
  groq: {
    hosts: ['api.groq.com'],
    keys: ['GROQ_API_KEY'],
    baseUrls: ['GROQ_BASE_URL'],
    address: 'https://api.groq.com',
  },
  huggingface: {
    hosts: [
      'router.huggingface.co',
      'api-inference.huggingface.co',
      '*.endpoints.huggingface.cloud',
    ],
    equal: RENAMED,
    but: /\.endpoints\.huggingface\.cloud$/,
    keys: ['HF_TOKEN', 'HUGGINGFACE_API_KEY'],
  },
  hume: { hosts: ['api.hume.ai'] },
  'ibm.watsonx.ai': { hosts: ['*.ml.cloud.ibm.com'], equal: REGION },
  klingai: { hosts: ['api.klingai.com', 'api-*.klingai.com'], equal: REGION },
  litellm: { hosts: [], baseUrls: ['LITELLM_PROXY_API_BASE'] },
  lmnt: { hosts: ['api.lmnt.com'] },
  luma: { hosts: ['api.lumalabs.ai'] },
  minimax: {
    hosts: ['api.minimax.io', 'api.minimaxi.com'],
    equal: REGION,
    keys: ['MINIMAX_API_KEY'],
  },
  mistral_ai: {
    hosts: ['api.mistral.ai', 'codestral.mistral.ai'],
    equal: 'two kinds of keys of one service; the body names the model',
    keys: ['MISTRAL_API_KEY'],
    baseUrls: ['MISTRAL_BASE_URL'],
    address: 'https://api.mistral.ai',
  },
  moonshot_ai: {
    hosts: ['api.moonshot.ai', 'api.moonshot.cn'],
    equal: REGION,
    keys: ['MOONSHOT_API_KEY'],
  },
  nvidia: { hosts: ['integrate.api.nvidia.com'], keys: ['NVIDIA_API_KEY'] },
  ollama: {
    hosts: ['ollama.com', 'api.ollama.com'],
    equal: RENAMED,
    keys: ['OLLAMA_API_KEY'],
    baseUrls: ['OLLAMA_HOST'],
    address: 'http://127.0.0.1:11434',
  },
  openai: {
    hosts: ['api.openai.com', '*.api.openai.com'],
    equal: REGION,
    keys: ['OPENAI_API_KEY'],
    baseUrls: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    address: 'https://api.openai.com/v1',
  },
  openrouter: {
    hosts: ['openrouter.ai'],
    keys: ['OPENROUTER_API_KEY'],
    baseUrls: ['OPENROUTER_BASE_URL'],
    address: 'https://openrouter.ai/api/v1',
  },
  perplexity: { hosts: ['api.perplexity.ai'], keys: ['PERPLEXITY_API_KEY'] },
  pollinations: { hosts: ['*.pollinations.ai'] },
  prodia: { hosts: ['inference.prodia.com', 'api.prodia.com'] },
  replicate: {
    hosts: ['api.replicate.com', 'stream.replicate.com'],
    equal: 'one service, whose streams have paths of their own',
    keys: ['REPLICATE_API_TOKEN'],
  },
  revai: { hosts: ['api.rev.ai', '*.api.rev.ai'], equal: REGION },
  sambanova: { hosts: ['api.sambanova.ai'], keys: ['SAMBANOVA_API_KEY'] },
  stability_ai: { hosts: ['api.stability.ai'] },
  together_ai: {
    hosts: ['api.together.ai', 'api.together.xyz'],
    equal: RENAMED,
    keys: ['TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'],
  },
  vercel_ai_gateway: {
    hosts: ['ai-gateway.vercel.sh'],
    keys: ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN'],
  },
  voyage_ai: { hosts: ['api.voyageai.com'] },
  writer: { hosts: ['api.writer.com'], keys: ['WRITER_API_KEY'] },
  x_ai: { hosts: ['api.x.ai', '*.api.x.ai'], equal: REGION, keys: ['XAI_API_KEY'] },
  z_ai: {
    hosts: ['api.z.ai', 'open.bigmodel.cn'],
    equal: REGION,
    keys: ['ZAI_API_KEY', 'ZHIPU_API_KEY'],
  },
}

/** The default addresses of programs, by the variable that changes them; `undefined` where programs have no default. */
export const BASE_URLS: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.values(PROVIDERS).flatMap(({ baseUrls = [], address }) =>
    baseUrls.map((name) => [name, address]),
  ),
)
