/**
 * The default addresses of programs, by the variable that changes them; `undefined` where programs have no default. Of
 * several variables for one address, that of the provider's own SDK comes first.
 */
export const BASE_URLS: Record<string, string | undefined> = {
  ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
  AZURE_OPENAI_ENDPOINT: undefined,
  // Cohere's own SDKs.
  CO_API_URL: 'https://api.cohere.com',
  COHERE_BASE_URL: 'https://api.cohere.com',
  COPILOT_API_URL: undefined,
  DEEPSEEK_BASE_URL: 'https://api.deepseek.com',
  // Google's own SDK.
  GOOGLE_GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com',
  GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com',
  GOOGLE_GENAI_BASE_URL: 'https://generativelanguage.googleapis.com',
  GROQ_BASE_URL: 'https://api.groq.com',
  LITELLM_PROXY_API_BASE: undefined,
  MISTRAL_BASE_URL: 'https://api.mistral.ai',
  OLLAMA_HOST: 'http://127.0.0.1:11434',
  OPENAI_BASE_URL: 'https://api.openai.com/v1',
  // LangChain looks here first.
  OPENAI_API_BASE: 'https://api.openai.com/v1',
  OPENROUTER_BASE_URL: 'https://openrouter.ai/api/v1',
}
