import { remember } from '../remember.ts'

/**
 * Hosts of providers; names are OpenTelemetry's where it has one. `*` stands for any characters. The hosts of one
 * provider are one place only where `EQUAL` says so.
 */
export const HOSTS: Record<string, string[]> = {
  ai21: ['api.ai21.com'],
  alibaba_cloud: ['dashscope.aliyuncs.com', 'dashscope-*.aliyuncs.com'],
  anthropic: ['api.anthropic.com'],
  assemblyai: ['api.assemblyai.com', '*.assemblyai.com'],
  'aws.bedrock': [
    'bedrock-runtime.*.amazonaws.com',
    'bedrock-runtime-fips.*.amazonaws.com',
    'bedrock-runtime.*.amazonaws.com.cn',
    'bedrock-agent-runtime.*.amazonaws.com',
    'bedrock-runtime.*.api.aws',
    'bedrock-mantle.*.api.aws',
    '*.bedrock-runtime.*.vpce.amazonaws.com',
  ],
  'aws.sagemaker': [
    'runtime.sagemaker.*.amazonaws.com',
    'runtime.sagemaker.*.amazonaws.com.cn',
    'runtime-fips.sagemaker.*.amazonaws.com',
    'runtime.sagemaker-fips.*.amazonaws.com',
  ],
  'azure.ai.inference': ['*.services.ai.azure.com', '*.models.ai.azure.com'],
  'azure.ai.openai': ['*.openai.azure.com', '*.openai.azure.us', '*.cognitiveservices.azure.com'],
  baseten: ['inference.baseten.co', '*.api.baseten.co'],
  black_forest_labs: ['api.bfl.ai', 'api.bfl.ml', 'api.*.bfl.ai'],
  byteplus: ['ark.*.bytepluses.com', 'ark.*.volces.com'],
  cerebras: ['api.cerebras.ai'],
  cloudflare: ['gateway.ai.cloudflare.com'],
  cohere: ['api.cohere.com', 'api.cohere.ai'],
  deepinfra: ['api.deepinfra.com'],
  deepseek: ['api.deepseek.com'],
  deepgram: ['api.deepgram.com', 'api.*.deepgram.com', 'agent.deepgram.com'],
  elevenlabs: ['api.elevenlabs.io', 'api.*.elevenlabs.io'],
  fal: ['fal.run', '*.fal.run', 'rest.fal.ai', 'rest.*.fal.ai'],
  fireworks_ai: ['api.fireworks.ai'],
  'gcp.gemini': ['generativelanguage.googleapis.com'],
  'gcp.vertex_ai': [
    'aiplatform.googleapis.com',
    '*-aiplatform.googleapis.com',
    'aiplatform.*.rep.googleapis.com',
  ],
  github_copilot: ['api.githubcopilot.com', 'api.*.githubcopilot.com'],
  github_models: ['models.github.ai', 'models.inference.ai.azure.com'],
  gladia: ['api.gladia.io'],
  groq: ['api.groq.com'],
  huggingface: [
    'router.huggingface.co',
    'api-inference.huggingface.co',
    '*.endpoints.huggingface.cloud',
  ],
  hume: ['api.hume.ai'],
  'ibm.watsonx.ai': ['*.ml.cloud.ibm.com'],
  klingai: ['api.klingai.com', 'api-*.klingai.com'],
  lmnt: ['api.lmnt.com'],
  luma: ['api.lumalabs.ai'],
  minimax: ['api.minimax.io', 'api.minimaxi.com'],
  mistral_ai: ['api.mistral.ai', 'codestral.mistral.ai'],
  moonshot_ai: ['api.moonshot.ai', 'api.moonshot.cn'],
  nvidia: ['integrate.api.nvidia.com'],
  ollama: ['ollama.com', 'api.ollama.com'],
  openai: ['api.openai.com', '*.api.openai.com'],
  openrouter: ['openrouter.ai'],
  perplexity: ['api.perplexity.ai'],
  pollinations: ['*.pollinations.ai'],
  prodia: ['inference.prodia.com', 'api.prodia.com'],
  replicate: ['api.replicate.com', 'stream.replicate.com'],
  revai: ['api.rev.ai', '*.api.rev.ai'],
  sambanova: ['api.sambanova.ai'],
  stability_ai: ['api.stability.ai'],
  together_ai: ['api.together.ai', 'api.together.xyz'],
  vercel_ai_gateway: ['ai-gateway.vercel.sh'],
  voyage_ai: ['api.voyageai.com'],
  writer: ['api.writer.com'],
  x_ai: ['api.x.ai', '*.api.x.ai'],
  z_ai: ['api.z.ai', 'open.bigmodel.cn'],
}

const exact = new Map<string, string>()
const wildcards: [host: string, provider: string][] = []
for (const [provider, hosts] of Object.entries(HOSTS)) {
  for (const host of hosts) {
    if (host.includes('*')) wildcards.push([host, provider])
    else exact.set(host, provider)
  }
}

/** The addresses of this machine that name nothing else. A name before `.localhost` can be that of a model. */
const THIS_MACHINE = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|localhost)$/
const LOOPBACK = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost)$/

/** The provider behind a host, in OpenTelemetry's words, or `undefined` for a host of unknown kind. */
export function providerOf(url: URL): string | undefined {
  const host = hostOf(url)
  return exact.get(host) ?? wildcards.find(([wildcard]) => patternOf(wildcard).test(host))?.[1]
}

const REGION = 'regions of one service; the body or the path names the model'
const RENAMED = 'an old and a new name of one service'

/**
 * The providers whose hosts are equal, and why: the same model answers at each, and developers and CI have another
 * region or account. Every other host counts. It can be one model (endpoints of Hugging Face, deployments of Baseten
 * and of Azure's serverless models), one project (Foundry), or one of several services.
 */
export const EQUAL: Readonly<Record<string, { why: string; but?: RegExp }>> = {
  alibaba_cloud: { why: REGION },
  'aws.bedrock': { why: REGION },
  'aws.sagemaker': { why: REGION },
  'azure.ai.openai': { why: 'accounts of one service; the path or the body names the deployment' },
  baseten: { why: 'one host for all models of its own', but: /\.api\.baseten\.co$/ },
  black_forest_labs: { why: REGION },
  byteplus: { why: REGION },
  cohere: { why: RENAMED },
  elevenlabs: { why: REGION },
  'gcp.vertex_ai': { why: REGION },
  github_copilot: { why: 'plans of one service' },
  github_models: { why: RENAMED },
  huggingface: { why: RENAMED, but: /\.endpoints\.huggingface\.cloud$/ },
  'ibm.watsonx.ai': { why: REGION },
  klingai: { why: REGION },
  minimax: { why: REGION },
  mistral_ai: { why: 'two kinds of keys of one service; the body names the model' },
  moonshot_ai: { why: REGION },
  ollama: { why: RENAMED },
  openai: { why: REGION },
  replicate: { why: 'one service, whose streams have paths of their own' },
  revai: { why: REGION },
  together_ai: { why: RENAMED },
  x_ai: { why: REGION },
  z_ai: { why: REGION },
}

/**
 * The part of a host that counts in a hash: the provider's name where its hosts are equal or it has but one,
 * `localhost`, or the host itself; never a port.
 */
export function endpointOf(url: URL): string {
  const host = hostOf(url)
  const provider = providerOf(url)
  if (provider === undefined) return THIS_MACHINE.test(host) ? 'localhost' : host
  const equal = EQUAL[provider]
  const isEqual = equal ? !equal.but?.test(host) : HOSTS[provider]!.join('') === host
  return isEqual ? provider : host
}

/** True for an address of this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(hostOf(url))
}

/** The host without the final dot of the DNS root. */
function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '')
}

/** Compiled at the first request, since every test file loads this. */
const patternOf = remember((host) => {
  const source = host.split('*').map((text) => text.replaceAll('.', '\\.'))
  return new RegExp(`^${source.join('.+')}$`)
})
