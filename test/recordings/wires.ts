import { FRONT } from './addresses.ts'

/** A request in one wire format. */
export interface Question {
  name: string
  url: string
  headers?: Record<string, string>
  body: object
}

/** One transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const schema = { type: 'object', properties: { order: { type: 'integer' } } }
const tool = { name: 'look_up', description: 'Looks an order up.' }

const hello = 'Where is my order, and when does it come?'
const said = { messages: [{ role: 'user', content: hello }] }

const gemini = '/v1beta/models/gemini-2.5-flash'
const contents = [{ role: 'user', parts: [{ text: hello }] }]
const nova = '/model/us.amazon.nova-lite-v1%3A0'
const conversed = { messages: [{ role: 'user', content: [{ text: hello }] }] }
const claude = '/model/anthropic.claude-3-haiku-20240307-v1%3A0'
const granite = { model_id: 'ibm/granite-13b-instruct-v2', input: hello, project_id: 'p1' }
const prompted = [{ role: 'user', content: [{ type: 'text', text: hello }] }]
const streaming = { 'ai-language-model-streaming': 'true' }
const llama = '/client/v4/accounts/a1/ai/run/@cf/meta/llama-4-scout-17b-16e-instruct'

/** One question for each wire format and each kind of answer that it knows. */
export const questions: Question[] = [
  ...bothWays('openai-chat', '/v1/chat/completions', { model: 'gpt-5-mini', ...said }),
  ask('openai-chat, tools', '/v1/chat/completions', {
    model: 'gpt-5-mini',
    ...said,
    tools: [{ type: 'function', function: { ...tool, parameters: schema } }],
  }),
  ask('openai-chat, picture', '/v1/chat/completions', {
    model: 'gpt-5-mini',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: hello },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ],
  }),
  ...bothWays('openai-responses', '/v1/responses', { model: 'gpt-5-mini', input: hello }),
  ...bothWays('openai-completions', '/v1/completions', { model: 'davinci-002', prompt: hello }),
  ask('openai-embeddings', '/v1/embeddings', { model: 'text-embedding-3-small', input: hello }),
  ask('generic, binary', '/v1/audio/speech', { model: 'tts-1', voice: 'alloy', input: hello }),
  ask('generic, picture', '/v1/images/generations', { model: 'gpt-image-1', prompt: 'order' }),
  ...bothWays('anthropic-messages', '/v1/messages', {
    model: 'claude-haiku-4-5',
    max_tokens: 64,
    ...said,
  }),
  ask('anthropic-messages, tools', '/v1/messages', {
    model: 'claude-haiku-4-5',
    max_tokens: 64,
    ...said,
    tools: [{ ...tool, input_schema: schema }],
    stream: true,
  }),
  ask('anthropic-messages, picture', '/v1/messages', {
    model: 'claude-haiku-4-5',
    max_tokens: 64,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: hello },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ],
      },
    ],
  }),
  ask('token-count', '/v1/messages/count_tokens', { model: 'claude-haiku-4-5', ...said }),
  ...bothWays('anthropic-complete', '/v1/complete', {
    model: 'claude-2',
    max_tokens_to_sample: 64,
    prompt: `\n\nHuman: ${hello}\n\nAssistant:`,
  }),
  ask('gemini-generate, plain', `${gemini}:generateContent`, { contents }),
  ask('gemini-generate, stream', `${gemini}:streamGenerateContent?alt=sse`, { contents }),
  ask('gemini-generate, tools', `${gemini}:generateContent`, {
    contents,
    tools: [{ functionDeclarations: [{ ...tool, parameters: schema }] }],
  }),
  ask('gemini-embeddings', '/v1beta/models/gemini-embedding-001:embedContent', {
    content: { parts: [{ text: hello }] },
  }),
  ask('gemini-count-tokens', `${gemini}:countTokens`, { contents }),
  ...bothWays('gemini-interactions', '/v1beta/interactions', {
    model: 'gemini-3-flash-preview',
    input: hello,
  }),
  ask('bedrock-converse, plain', `${nova}/converse`, conversed),
  ask('bedrock-converse, stream', `${nova}/converse-stream`, conversed),
  ask('bedrock-invoke, plain', `${claude}/invoke`, { max_tokens: 64, ...said }),
  ask('bedrock-invoke, stream', `${claude}/invoke-with-response-stream`, {
    max_tokens: 64,
    ...said,
  }),
  ...bothWays('cohere-chat', '/v2/chat', { model: 'command-a-03-2025', ...said }),
  ask('cohere-embed', '/v2/embed', {
    model: 'embed-v4.0',
    input_type: 'search_query',
    texts: [hello],
  }),
  ask('cohere-rerank', '/v2/rerank', { model: 'rerank-v3.5', query: hello, documents: ['May'] }),
  ...bothWays('ollama-chat', '/api/chat', { model: 'qwen3:8b', ...said }),
  ask('ollama-embed', '/api/embed', { model: 'all-minilm', input: hello }),
  ask('replicate', '/v1/models/meta/meta-llama-3-8b-instruct/predictions', {
    input: { prompt: hello },
  }),
  ask('vercel-gateway, plain', '/v4/ai/language-model', { prompt: prompted }),
  ask('vercel-gateway, stream', '/v4/ai/language-model', { prompt: prompted }, streaming),
  ask('vercel-embeddings', '/v4/ai/embedding-model', { values: [hello] }),
  ...bothWays('cloudflare-run', llama, said),
  ask('openai-realtime-session', '/v1/realtime/client_secrets', {
    session: { type: 'realtime', model: 'gpt-realtime', instructions: hello },
  }),
  ask('generic, batch', '/v1/batches', { endpoint: '/v1/responses', input_file_id: 'file-1' }),
  // Formats that no dialect reads.
  ...bothWays('cohere-chat-v1', '/v1/chat', { model: 'command-r', message: hello }),
  ...bothWays('hugging-face-text', '/models/meta-llama/Llama-3.1-8B', { inputs: hello }),
  ask('hugging-face-text', '/generate_stream', { inputs: hello }),
  ...bothWays('mistral-fim', '/v1/fim/completions', { model: 'codestral-latest', prompt: hello }),
  ...bothWays('mistral-conversations', '/v1/conversations', {
    model: 'mistral-medium-latest',
    inputs: hello,
  }),
  ask('mistral-ocr', '/v1/ocr', {
    model: 'mistral-ocr-latest',
    document: { type: 'document_url', document_url: 'https://example.com/order.pdf' },
  }),
  ask('watsonx, plain', '/ml/v1/text/generation?version=2025-01-01', granite),
  ask('watsonx, stream', '/ml/v1/text/generation_stream?version=2025-01-01', granite),
  ask('bedrock-agent', '/agents/A1/agentAliases/B1/sessions/s1/text', { inputText: hello }),
]

function ask(name: string, path: string, body: object, headers?: Record<string, string>): Question {
  return { name, url: FRONT + path, body, ...(headers ? { headers } : {}) }
}

function bothWays(dialect: string, path: string, body: object): Question[] {
  return [
    ask(`${dialect}, plain`, path, { ...body, stream: false }),
    ask(`${dialect}, stream`, path, { ...body, stream: true }),
  ]
}
