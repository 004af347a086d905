import { PROVIDERS } from '../catalogue.ts'

// What ships has these tables as data, and no provider: tooling/provider-tables.ts prints them into this module.

const providers = Object.entries(PROVIDERS)

const hosts = providers.flatMap(([provider, { hosts }]) =>
  hosts.map((host) => [host, provider] as const),
)

/** The providers of hosts, in OpenTelemetry's words. */
export const HOSTS: ReadonlyMap<string, string> = new Map(
  hosts.filter(([host]) => !host.includes('*')),
)

/** The providers of the hosts that stand for several. */
export const WILDCARDS: ReadonlyArray<readonly [hosts: RegExp, provider: string]> = hosts
  .filter(([host]) => host.includes('*'))
  .map(([host, provider]) => {
    const source = host.split('*').map((text) => text.replaceAll('.', '\\.'))
    return [new RegExp(`^${source.join('.+')}$`), provider]
  })

/** The providers whose hosts are equal, and those that have but one. */
export const EQUAL: ReadonlySet<string> = new Set(
  providers
    .filter(([, { hosts, equal }]) => equal || (hosts.length === 1 && !hosts[0]!.includes('*')))
    .map(([provider]) => provider),
)

/** Of their hosts, those that count nevertheless. */
export const BUT: ReadonlyMap<string, RegExp> = new Map(
  providers.flatMap(([provider, { equal, but }]) =>
    equal && but ? [[provider, but] as const] : [],
  ),
)

/** The providers whose paths are asked most. An expression is compiled when it is first tested, which takes long. */
const MOST_ASKED = ['openai', 'anthropic', 'gcp.gemini']

/** The paths of all dialects on any host. */
export const DIALECT_PATHS: readonly RegExp[] = [
  ...MOST_ASKED.map((name) => PROVIDERS[name]!),
  ...providers.filter(([name]) => !MOST_ASKED.includes(name)).map(([, provider]) => provider),
].flatMap(({ paths = {} }) => Object.values(paths))

/** Paths without a dialect on any host, of providers and of servers that people run themselves. */
export const OTHER_PATHS: readonly RegExp[] = [
  // OpenAI, Anthropic, Cohere, and gateways with their API.
  /\/(?:v\d+\w*|openai)\/(?:files|batches|messages\/batches|assistants|threads(?:\/.+)?)\/?$/,
  /\/v\d+\w*\/(?:chat|embed|classify|score|pooling)\/?$/,
  // llama.cpp, vLLM, Infinity, Text Embeddings Inference.
  /\/(?:embeddings?|rerank(?:ing)?)\/?$|^\/(?:completion|infill|embed(?:_all|_sparse)?)\/?$/,
  // SageMaker, MLflow; KServe, Triton.
  /\/invocations\/?$|\/v2\/models\/.+\/infer\/?$/,
]

/** Of the paths of dialects, those whose answers hold the address of a job or of a file, which the client asks next. */
export const NAMING_PATH: RegExp = oneOf(providers.flatMap(([, { jobs = [] }]) => jobs))

/** The paths whose clients expect an error to be a text. */
export const TEXT_ERROR_PATH: RegExp = oneOf(
  providers.flatMap(([, { textErrors }]) => textErrors ?? []),
)

/** An expression that matches where one of others does. */
function oneOf(paths: readonly RegExp[]): RegExp {
  const flagged = paths.find(({ flags }) => flags !== '')
  if (flagged) throw new Error(`The path of a dialect has no flags: ${String(flagged)}`)
  return new RegExp(paths.map(({ source }) => `(?:${source})`).join('|'))
}
