import { isMcpAddress } from '../wire/mcp-address.ts'

/**
 * The paths of a dialect on any host, by the name of the dialect. Every request is judged by them, even in a test
 * without a model, so this file loads no dialect.
 */
export const providerPaths = {
  'anthropic-complete': /\/v1\/complete\/?$/,
  'anthropic-messages':
    /\/(?:v\d+\w*|openai|codex)\/messages\/?$|\/publishers\/anthropic\/models\/[^/]+:(?:streamR|r)awPredict$/,
  'bedrock-agent':
    /\/agents\/[^/]+\/agentAliases\/[^/]+\/sessions\/[^/]+\/text\/?$|\/retrieveAndGenerate(?:Stream)?\/?$/,
  'bedrock-converse': /\/model\/.+\/converse(?:-stream)?\/?$/,
  'bedrock-invoke': /\/model\/.+\/invoke(?:-with-response-stream)?\/?$/,
  'cloudflare-run': /\/(?:ai\/run|workers-ai)\/((?:@|%40)\w+\/[^/]+\/[^/]+)\/?$/,
  'cohere-chat': /\/v2\/chat\/?$/,
  'cohere-embed': /\/v2\/embed\/?$/,
  'cohere-rerank': /\/v\d\/rerank\/?$/,
  'gemini-count-tokens': /\/models\/[^/]+:countTokens$/,
  'gemini-embeddings': /\/models\/[^/]+:(?:embedContent|batchEmbedContents|predict)$/,
  'gemini-generate': /\/(?:models|tunedModels|endpoints)\/[^/]+:(?:g|streamG)enerateContent$/,
  'gemini-interactions': /\/v1\w*\/interactions\/?$/,
  'hugging-face-text': /\/generate(?:_stream)?\/?$/,
  'mistral-conversations': /\/v1\/conversations(?:\/[^/]+(?:\/restart)?)?\/?$/,
  'mistral-fim': /\/fim\/completions\/?$/,
  'mistral-ocr': /\/v\d\/ocr\/?$/,
  'ollama-chat': /\/api\/(?:chat|generate)\/?$/,
  'ollama-embed': /\/api\/embed(?:dings)?\/?$/,
  'openai-chat': /\/(?:chat|agents)\/completions\/?$/,
  'openai-completions': /\/(?:v\d+\w*|openai|deployments\/[^/]+)\/completions\/?$/,
  'openai-embeddings': /\/(?:v\d+\w*|openai|codex|deployments\/[^/]+)\/embeddings\/?$/,
  'openai-media':
    /\/(?:v\d+\w*|openai|deployments\/[^/]+)\/(?:audio\/(?:speech|transcriptions|translations)|images\/(?:generations|edits|variations)|moderations|videos)\/?$/,
  'openai-realtime-session':
    /\/(?:v\d+\w*|openai)\/realtime\/(?:client_secrets|sessions|transcription_sessions|calls(?:\/[^/]+\/accept)?)\/?$/,
  'openai-responses': /\/(?:v\d+\w*|openai|codex)\/responses(?:\/compact)?\/?$/,
  replicate: /\/v1\/(?:models|deployments)\/[^/]+\/[^/]+\/predictions\/?$/,
  'token-count': /\/v\d+\w*\/(?:messages\/count_tokens|responses\/input_tokens)\/?$/,
  'vercel-embeddings': /\/v\d+\/ai\/embedding-model\/?$/,
  'vercel-gateway': /\/v\d+\/ai\/language-model\/?$/,
  watsonx:
    /\/ml\/v1\/(?:deployments\/[^/]+\/)?text\/(?:chat|generation|embeddings)(?:_stream)?\/?$/,
} as const satisfies Record<string, RegExp>

const patterns: readonly RegExp[] = Object.values(providerPaths)

/** Methods with a body, which tells whether a request is an LLM call; gateways are not strict about methods. */
const METHODS = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether a request to a host of unknown kind may be an LLM call, judged without its body. It is one only if a
 * dialect other than `generic` then claims it.
 */
export function isProviderPath(method: string, url: URL): boolean {
  return METHODS.has(method.toUpperCase()) && patterns.some((path) => path.test(url.pathname))
}

/** Paths whose answers hold the address of a job or of a file, which the client asks next. */
const NAMING: readonly RegExp[] = [providerPaths.replicate, providerPaths['openai-media']]

/**
 * Whether a model or one of its tools writes the answers of a URL, so that an address in them is plain text. In other
 * answers, such as that of a job, the client follows an address.
 */
export function isSaidByModel(url: URL): boolean {
  if (isMcpAddress(url.href)) return true
  return isProviderPath('POST', url) && !NAMING.some((path) => path.test(url.pathname))
}
