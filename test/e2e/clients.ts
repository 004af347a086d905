/** A client of one or more providers, and what is known of it. */
export interface Client {
  /** Of its test file in `clients/`. */
  name: string
  packages: string[]
  /** Where it asks unless told otherwise. */
  host: string
  /** Why an operation cannot hold all that is promised. */
  reasons?: Record<string, string>
}

const AI = 'ai'
const BEDROCK = 'https://bedrock-runtime.us-east-1.amazonaws.com'
const GEMINI = 'https://generativelanguage.googleapis.com'
const ANTHROPIC = 'https://api.anthropic.com'
const OPENAI = 'https://api.openai.com'

export const CLIENTS: Client[] = [
  { name: 'openai', packages: ['openai'], host: OPENAI },
  { name: 'azure-openai', packages: ['openai'], host: 'https://example.openai.azure.com' },
  { name: 'anthropic', packages: ['@anthropic-ai/sdk'], host: ANTHROPIC },
  { name: 'google-genai', packages: ['@google/genai'], host: GEMINI },
  {
    name: 'google-vertex',
    packages: ['@google/genai'],
    host: 'https://us-central1-aiplatform.googleapis.com',
  },
  { name: 'bedrock', packages: ['@aws-sdk/client-bedrock-runtime'], host: BEDROCK },
  { name: 'mistral', packages: ['@mistralai/mistralai'], host: 'https://api.mistral.ai' },
  { name: 'cohere', packages: ['cohere-ai'], host: 'https://api.cohere.com' },
  { name: 'ollama', packages: ['ollama'], host: 'http://127.0.0.1:11434' },
  { name: 'groq', packages: ['groq-sdk'], host: 'https://api.groq.com' },
  { name: 'together', packages: ['together-ai'], host: 'https://api.together.ai' },
  { name: 'replicate', packages: ['replicate'], host: 'https://api.replicate.com' },
  { name: 'ai-openai', packages: [AI, '@ai-sdk/openai'], host: OPENAI },
  { name: 'ai-anthropic', packages: [AI, '@ai-sdk/anthropic'], host: ANTHROPIC },
  { name: 'ai-google', packages: [AI, '@ai-sdk/google'], host: GEMINI },
  { name: 'ai-bedrock', packages: [AI, '@ai-sdk/amazon-bedrock'], host: BEDROCK },
  { name: 'ai-gateway', packages: [AI, '@ai-sdk/gateway'], host: 'https://ai-gateway.vercel.sh' },
  { name: 'ai-xai', packages: [AI, '@ai-sdk/xai'], host: 'https://api.x.ai' },
  { name: 'ai-deepseek', packages: [AI, '@ai-sdk/deepseek'], host: 'https://api.deepseek.com' },
  {
    name: 'ai-perplexity',
    packages: [AI, '@ai-sdk/perplexity'],
    host: 'https://api.perplexity.ai',
  },
  { name: 'ai-fireworks', packages: [AI, '@ai-sdk/fireworks'], host: 'https://api.fireworks.ai' },
  { name: 'langchain-openai', packages: ['@langchain/openai'], host: OPENAI },
  { name: 'langchain-anthropic', packages: ['@langchain/anthropic'], host: ANTHROPIC },
  { name: 'langchain-google-genai', packages: ['@langchain/google-genai'], host: GEMINI },
  {
    name: 'langchain-aws',
    packages: ['@langchain/aws'],
    host: BEDROCK,
    reasons: {
      embeddings:
        'Its embeddings try again whatever they are answered, because LangChain loses the status on the way; ' +
        '`maxRetries: 0` makes it one request.',
    },
  },
  { name: 'langgraph', packages: ['@langchain/langgraph', '@langchain/openai'], host: OPENAI },
  { name: 'openai-agents', packages: ['@openai/agents'], host: OPENAI },
  { name: 'mastra', packages: ['@mastra/core'], host: OPENAI },
  { name: 'google-adk', packages: ['@google/adk'], host: GEMINI },
]
