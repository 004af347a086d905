import * as folders from './list/facts.ts'
import { type Providers, REGION, RENAMED } from './provider.ts'

/** Providers and gateways that speak the wire formats of others, or none that is read. */
const WITHOUT_FOLDER: Providers = {
  ai21: {
    hosts: ['api.ai21.com'],
    keys: ['AI21_API_KEY'],
  },
  alibaba_cloud: {
    hosts: ['dashscope.aliyuncs.com', 'dashscope-*.aliyuncs.com'],
    equal: REGION,
    keys: ['DASHSCOPE_API_KEY', 'ALIBABA_API_KEY'],
    accounts: [{ lend: ['DASHSCOPE_API_KEY'] }, { lend: ['ALIBABA_API_KEY'] }],
    headers: {
      'x-dashscope-async': 'text',
      'x-dashscope-datainspection': 'text',
      'x-dashscope-sse': 'text',
    },
    families: ['x-dashscope'],
  },
  assemblyai: {
    hosts: ['api.assemblyai.com', '*.assemblyai.com'],
    accounts: [{ lend: ['ASSEMBLYAI_API_KEY'] }],
  },
  'azure.ai.inference': {
    hosts: ['*.services.ai.azure.com', '*.models.ai.azure.com'],
    keys: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'],
    accounts: [],
    keyHeader: 'api-key',
    headers: { 'azureml-model-deployment': 'text', 'extra-parameters': 'text' },
  },
  'azure.ai.speech': { hosts: [], headers: { 'x-microsoft-outputformat': 'text' } },
  baseten: {
    hosts: ['inference.baseten.co', '*.api.baseten.co'],
    equal: 'one host for all models of its own',
    but: /\.api\.baseten\.co$/,
    keys: ['BASETEN_API_KEY'],
  },
  black_forest_labs: {
    hosts: ['api.bfl.ai', 'api.bfl.ml', 'api.*.bfl.ai'],
    equal: REGION,
    accounts: [{ lend: ['BFL_API_KEY'] }],
  },
  byteplus: {
    hosts: ['ark.*.bytepluses.com', 'ark.*.volces.com'],
    equal: REGION,
    keys: ['ARK_API_KEY'],
    headers: { 'x-api-resource-id': 'text' },
  },
  cartesia: {
    hosts: [],
    accounts: [{ lend: ['CARTESIA_API_KEY'] }],
    headers: { 'cartesia-version': 'text' },
  },
  cerebras: {
    hosts: ['api.cerebras.ai'],
    keys: ['CEREBRAS_API_KEY'],
    headers: { 'x-cerebras-version-patch': 'text' },
  },
  deepgram: {
    hosts: ['api.deepgram.com', 'api.*.deepgram.com', 'agent.deepgram.com'],
    accounts: [{ lend: ['DEEPGRAM_API_KEY'], unless: ['DEEPGRAM_ACCESS_TOKEN'] }],
  },
  deepinfra: {
    hosts: ['api.deepinfra.com'],
    keys: ['DEEPINFRA_API_KEY'],
  },
  deepseek: {
    hosts: ['api.deepseek.com'],
    keys: ['DEEPSEEK_API_KEY'],
    baseUrls: ['DEEPSEEK_BASE_URL'],
    address: 'https://api.deepseek.com',
  },
  elevenlabs: {
    hosts: ['api.elevenlabs.io', 'api.*.elevenlabs.io'],
    equal: REGION,
    accounts: [{ lend: ['ELEVENLABS_API_KEY'] }],
  },
  fal: {
    hosts: ['fal.run', '*.fal.run', 'rest.fal.ai', 'rest.*.fal.ai'],
    accounts: [{ lend: ['FAL_KEY', 'FAL_API_KEY'], unless: ['FAL_KEY_ID'] }],
    headers: { 'x-app-fal-disable-fallback': 'text' },
  },
  fireworks_ai: {
    hosts: ['api.fireworks.ai'],
    keys: ['FIREWORKS_API_KEY'],
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
    accounts: [],
  },
  gladia: {
    hosts: ['api.gladia.io'],
    accounts: [{ lend: ['GLADIA_API_KEY'] }],
  },
  groq: {
    hosts: ['api.groq.com'],
    keys: ['GROQ_API_KEY'],
    baseUrls: ['GROQ_BASE_URL'],
    address: 'https://api.groq.com',
    headers: { 'groq-beta': 'set', 'groq-model-version': 'text' },
  },
  helicone: {
    hosts: [],
    headers: {
      'helicone-cache-enabled': 'text',
      'helicone-fallbacks': 'json',
      'helicone-model-override': 'text',
      'helicone-moderations-enabled': 'text',
      'helicone-prompt-id': 'text',
      'helicone-target-provider': 'text',
      'helicone-target-url': 'text',
      'helicone-token-limit-exception-handler': 'text',
    },
    families: ['helicone'],
  },
  hume: {
    hosts: ['api.hume.ai'],
    accounts: [{ lend: ['HUME_API_KEY'] }],
  },
  klingai: {
    hosts: ['api.klingai.com', 'api-*.klingai.com'],
    equal: REGION,
    accounts: [{ lend: ['KLINGAI_ACCESS_KEY', 'KLINGAI_SECRET_KEY'] }],
  },
  litellm: {
    hosts: [],
    baseUrls: ['LITELLM_PROXY_API_BASE'],
    headers: { 'x-litellm-tags': 'set' },
    families: ['x-litellm'],
  },
  lmnt: {
    hosts: ['api.lmnt.com'],
    accounts: [{ lend: ['LMNT_API_KEY'] }],
  },
  luma: {
    hosts: ['api.lumalabs.ai'],
    accounts: [{ lend: ['LUMA_API_KEY', 'LUMAAI_API_KEY'] }],
  },
  minimax: {
    hosts: ['api.minimax.io', 'api.minimaxi.com'],
    equal: REGION,
    keys: ['MINIMAX_API_KEY'],
  },
  moonshot_ai: {
    hosts: ['api.moonshot.ai', 'api.moonshot.cn'],
    equal: REGION,
    keys: ['MOONSHOT_API_KEY'],
  },
  nvidia: {
    hosts: ['integrate.api.nvidia.com'],
    keys: ['NVIDIA_API_KEY'],
    headers: { 'nvcf-function-asset-ids': 'set', 'nvcf-input-asset-references': 'set' },
  },
  openrouter: {
    hosts: ['openrouter.ai'],
    keys: ['OPENROUTER_API_KEY'],
    baseUrls: ['OPENROUTER_BASE_URL'],
    address: 'https://openrouter.ai/api/v1',
    families: ['x-openrouter'],
  },
  perplexity: {
    hosts: ['api.perplexity.ai'],
    keys: ['PERPLEXITY_API_KEY'],
  },
  pollinations: { hosts: ['*.pollinations.ai'] },
  portkey: {
    hosts: [],
    headers: {
      'x-portkey-config': 'json',
      'x-portkey-custom-host': 'text',
      'x-portkey-provider': 'text',
      'x-portkey-strict-open-ai-compliance': 'text',
      // An id at the gateway, and no key; who asks with another one may ask another provider.
      'x-portkey-virtual-key': 'digest',
    },
    families: ['x-portkey'],
  },
  prodia: {
    hosts: ['inference.prodia.com', 'api.prodia.com'],
    accounts: [{ lend: ['PRODIA_TOKEN'] }],
  },
  revai: {
    hosts: ['api.rev.ai', '*.api.rev.ai'],
    equal: REGION,
    accounts: [{ lend: ['REVAI_API_KEY'] }],
  },
  sambanova: {
    hosts: ['api.sambanova.ai'],
    keys: ['SAMBANOVA_API_KEY'],
  },
  stability_ai: {
    hosts: ['api.stability.ai'],
    accounts: [{ lend: ['STABILITY_API_KEY'] }],
  },
  together_ai: {
    hosts: ['api.together.ai', 'api.together.xyz'],
    equal: RENAMED,
    keys: ['TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'],
  },
  voyage_ai: {
    hosts: ['api.voyageai.com'],
    accounts: [{ lend: ['VOYAGE_API_KEY'] }],
  },
  writer: {
    hosts: ['api.writer.com'],
    keys: ['WRITER_API_KEY'],
  },
  x_ai: {
    hosts: ['api.x.ai', '*.api.x.ai'],
    equal: REGION,
    keys: ['XAI_API_KEY'],
  },
  z_ai: {
    hosts: ['api.z.ai', 'open.bigmodel.cn'],
    equal: REGION,
    keys: ['ZAI_API_KEY', 'ZHIPU_API_KEY'],
  },
}

const all: Providers = Object.assign({}, WITHOUT_FOLDER, ...Object.values(folders))

/** All providers by name, in alphabetical order. A new one is a row above, or a folder if its wire format is new. */
export const PROVIDERS: Providers = Object.fromEntries(
  Object.keys(all)
    .sort()
    .map((name) => [name, all[name]!]),
)
